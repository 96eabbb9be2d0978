// An accelerator: peak speed by precision, memory and its bandwidth, and kernel overhead.
//
// The datasheets of common accelerators are built in; a scenario may define its own, or modify one:
// `accelerator: {base: a100, memory: 40 GB}`. A plan may fill the memory except for a reserve.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "loom/base/settings.h"
#include "loom/base/units.h"

namespace loom::model {

enum class Precision : std::uint8_t { fp32, tf32, fp16, bf16, fp8 };

inline constexpr std::array<std::string_view, 5> kPrecisionNames = {"fp32", "tf32", "fp16", "bf16",
                                                                    "fp8"};

int bytes_of(Precision precision);  // bytes per activation; 2 also for fp8, as for bf16

struct Accelerator {
  std::string name;
  std::array<FlopRate, 5> peak = {};  // by Precision, dense; 0 if not supported
  Bytes memory;                       // as the driver reports it
  Bytes memory_reserve;  // kept free for libraries, communication buffers and fragmentation
  Bandwidth memory_bandwidth;
  Duration launch{0};       // overhead per kernel, including its ramp-up
  int units = 1;            // units that process tiles in parallel: SMs, matrix units
  double sustained = 1;     // fraction of peak that the largest matrix products reach
  double memory_share = 1;  // fraction of the memory bandwidth that memory-bound kernels reach

  // Max memory that a strategy may use.
  Bytes usable_memory() const { return memory - memory_reserve; }

  bool operator==(const Accelerator&) const = default;
};

struct AcceleratorPreset {
  std::string_view name;
  std::string_view summary;
  std::span<const std::pair<std::string_view, std::string_view>> values;
  std::string_view source;
};

std::span<const AcceleratorPreset> accelerator_presets();

// Parameters of a map that describes an accelerator.
std::span<const Parameter> accelerator_parameters();

// Names the accelerator and its memory in a reason why something does not fit: "a100 has 85.90 GB,
// of which 4 GB are reserved".
std::string memory_text(const Accelerator& accelerator);

// Reads an accelerator: the name of a preset ("a100"), or a map of parameters.
Accelerator read_accelerator(const Tree& tree);

}  // namespace loom::model
