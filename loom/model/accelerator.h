// What computes: peak speed by precision, memory and its bandwidth, and how long a kernel takes.
//
// Built in are the datasheets of common ones; a scenario may describe its own, or change one:
// `accelerator: {base: a100, memory: 40 GB}`.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "loom/base/settings.h"
#include "loom/base/units.h"

namespace loom {

enum class Precision : std::uint8_t { fp32, tf32, fp16, bf16, fp8 };

inline constexpr std::array<std::string_view, 5> kPrecisionNames = {"fp32", "tf32", "fp16", "bf16",
                                                                    "fp8"};

int bytes_of(Precision precision);  // of an activation kept in it; fp8 keeps 2, as bf16

struct Accelerator {
  std::string name;
  std::array<FlopRate, 5> peak = {};  // by Precision, dense; 0 where it has none
  Bytes memory;
  Bandwidth memory_bandwidth;
  Duration launch{0};       // between a kernel and the next, and its ramp-up
  int units = 1;            // that work on tiles side by side: SMs, matrix units
  double sustained = 1;     // part of the peak that the largest products reach
  double memory_share = 1;  // part of the memory bandwidth that a pass over memory reaches

  bool operator==(const Accelerator&) const = default;
};

struct AcceleratorPreset {
  std::string_view name;
  std::string_view summary;
  std::span<const std::pair<std::string_view, std::string_view>> values;
  std::string_view source;
};

std::span<const AcceleratorPreset> accelerator_presets();

// What may stand in a map that describes one.
std::span<const Parameter> accelerator_parameters();

// A name ("a100"), or a map with an own one.
Accelerator read_accelerator(const Tree& tree);

}  // namespace loom
