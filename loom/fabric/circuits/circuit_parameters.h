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
inline constexpr Parameter kProvisioner{
    .name = "provisioner",
    .type = ValueType::choice,
    .summary =
        "rule that chooses circuits: the best by simulation, best rate for the worst-served "
        "pair, or most demand served",
    .fallback = "auto",
    .choices = kProvisionerChoices};
inline constexpr Parameter kReconfigure{
    .name = "reconfigure",
    .type = ValueType::choice,
    .summary =
        "times of circuit changes: never, every period, or between phases if that saves time",
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
    .summary =
        "treatment of pairs without a circuit if reconfigure is periodic: wait for one, or forward",
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

// A circuit fabric with the settings that all kinds share; limits and circuit bandwidth are left
// unset.
CircuitFabric common_circuits(const Settings& settings);

// Like common_circuits(), for kinds whose devices never forward, without the parameters forwarding
// and unserved.
CircuitFabric unforwarded_circuits(const Settings& settings);

// Number of wavelengths per device: bandwidth divided by wavelength bandwidth, rounded down. Throws
// InputError if it is 0 or above 1,000,000.
int wavelength_count(const Settings& settings);

}  // namespace loom::fabric
