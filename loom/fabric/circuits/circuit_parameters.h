// What the builders of circuit fabrics share.
#pragma once

#include <algorithm>
#include <array>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/parameters.h"

namespace loom {

inline constexpr Parameter kEgressBandwidth{
    .name = "bandwidth",
    .type = ValueType::bandwidth,
    .summary = "of a device into the network, all its circuits together",
    .required = true,
    .min = 1};
inline constexpr Parameter kCircuitLatency{.name = "latency",
                                           .type = ValueType::duration,
                                           .summary = "of a circuit, from device to device",
                                           .fallback = "0 ns"};
inline constexpr Parameter kForwarding{
    .name = "forwarding",
    .type = ValueType::boolean,
    .summary = "devices pass on what is for others, where a pair has no circuit",
    .fallback = "true"};
inline constexpr Parameter kObjective{
    .name = "objective",
    .type = ValueType::choice,
    .summary = "serve the worst-served pair best, or as much demand as possible",
    .fallback = "max_min",
    .choices = kObjectiveNames};
inline constexpr Parameter kReconfigure{
    .name = "reconfigure",
    .type = ValueType::choice,
    .summary = "once, every period, or between the phases of an iteration where it pays",
    .fallback = "one_shot",
    .choices = kReconfigureNames};
inline constexpr Parameter kPeriod{.name = "period",
                                   .type = ValueType::duration,
                                   .summary =
                                       "of reconfigure: periodic; auto: 1 ms, or four "
                                       "times the reconfiguration if that is longer",
                                   .fallback = "auto",
                                   .automatic = true};
inline constexpr Parameter kMeanwhile{
    .name = "meanwhile",
    .type = ValueType::choice,
    .summary = "of reconfigure: periodic, without a circuit: wait for one, or go over others",
    .fallback = "wait",
    .choices = kMeanwhileNames};
// 25 Gbps is what TeraPHY modulates a wavelength with (SiP-ML, section 2).
inline constexpr Parameter kWavelength{.name = "wavelength",
                                       .type = ValueType::bandwidth,
                                       .summary = "of one wavelength",
                                       .fallback = "25 Gbps",
                                       .min = 1};

constexpr Parameter switch_time_parameter(std::string_view summary, std::string_view fallback) {
  return {.name = "reconfiguration",
          .type = ValueType::duration,
          .summary = summary,
          .fallback = fallback};
}

template <std::size_t a, std::size_t b>
constexpr std::array<Parameter, a + b> joined(const std::array<Parameter, a>& first,
                                              const std::array<Parameter, b>& second) {
  std::array<Parameter, a + b> all{};
  std::copy(first.begin(), first.end(), all.begin());
  std::copy(second.begin(), second.end(), all.begin() + a);
  return all;
}

// What all of them have: a value without its limits and the bandwidth of a circuit.
CircuitFabric common_circuits(const Settings& settings);

// The same where devices never forward, and there is no such parameter.
CircuitFabric unforwarded_circuits(const Settings& settings);

// Wavelengths of a device in all: bandwidth over wavelength, rounded down, at least 1.
int wavelength_count(const Settings& settings);

}  // namespace loom
