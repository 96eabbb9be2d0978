// Parameters and settings shared by the builders of circuit fabrics.
#pragma once

#include <algorithm>
#include <array>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/provisioners.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {

inline constexpr Parameter kEgressBandwidth{
    .name = "bandwidth",
    .type = ValueType::bandwidth,
    .summary = "total egress bandwidth of one device, summed over its circuits",
    .required = true,
    .min = 1};
inline constexpr Parameter kCircuitLatency{
    .name = "latency",
    .type = ValueType::duration,
    .summary = "latency of one circuit, from device to device",
    .fallback = "0 ns"};
inline constexpr Parameter kForwarding{
    .name = "forwarding",
    .type = ValueType::boolean,
    .summary = "forwarding by other devices for pairs that have no circuit",
    .fallback = "true"};
inline constexpr Parameter kObjective{
    .name = "objective",
    .type = ValueType::choice,
    .summary = "best rate for the worst-served pair, or max weight of demand served",
    .fallback = "max_min",
    .choices = kProvisionerNames};
inline constexpr Parameter kReconfigure{
    .name = "reconfigure",
    .type = ValueType::choice,
    .summary = "time of circuit changes: never, every period, or between phases where it pays",
    .fallback = "one_shot",
    .choices = kReconfigureNames};
inline constexpr Parameter kPeriod{
    .name = "period",
    .type = ValueType::duration,
    .summary =
        "time between changes with reconfigure: periodic; auto: 1 ms, or four "
        "times switch_time if that is longer",
    .fallback = "auto",
    .automatic = true};
inline constexpr Parameter kUnserved{
    .name = "unserved",
    .type = ValueType::choice,
    .summary = "pairs without a circuit under reconfigure: periodic wait for one or are forwarded",
    .fallback = "wait",
    .choices = kUnservedNames};
// TeraPHY modulates a wavelength at 25 Gbps (SiP-ML, section 2).
inline constexpr Parameter kWavelengthBandwidth{.name = "wavelength_bandwidth",
                                                .type = ValueType::bandwidth,
                                                .summary = "bit rate of one wavelength",
                                                .fallback = "25 Gbps",
                                                .min = 1};

constexpr Parameter switch_time_parameter(std::string_view summary, std::string_view fallback) {
  return {
      .name = "switch_time", .type = ValueType::duration, .summary = summary, .fallback = fallback};
}

template <std::size_t a, std::size_t b>
constexpr std::array<Parameter, a + b> concatenated(const std::array<Parameter, a>& first,
                                                    const std::array<Parameter, b>& second) {
  std::array<Parameter, a + b> all{};
  std::copy(first.begin(), first.end(), all.begin());
  std::copy(second.begin(), second.end(), all.begin() + a);
  return all;
}

// The settings all circuit fabrics have; limits and circuit bandwidth are left unset.
CircuitFabric common_circuits(const Settings& settings);

// The same for fabrics whose devices never forward and that have no such parameter.
CircuitFabric unforwarded_circuits(const Settings& settings);

// Wavelengths per device: bandwidth over wavelength bandwidth, rounded down, at least 1.
int wavelength_count(const Settings& settings);

}  // namespace loom::fabric
