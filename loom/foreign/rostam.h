// Profiles of Rostam, the simulator of SiP-ML (SIGCOMM 2021): an operator graph with times measured
// at several batch sizes, and the iterations to accuracy.
//
// A profile is the set of existing files PREFIX_bs1.pb to PREFIX_bs512.pb, one per batch size of a
// device (rostam.proto), and optionally PREFIX_iter.prof, a table of global batch sizes and
// iterations. All files must hold the same graph.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/units.h"
#include "loom/model/profiled_graph.h"

namespace loom::foreign {

// In the order of the file format.
enum class RostamType : std::uint8_t { compute, memory, control_dependency };
enum class RostamMemory : std::uint8_t { tensor, write_variable, read_variable, constant };

// One node at one batch size.
struct RostamMeasurement {
  Duration time{0};
  Bytes bytes;   // num_bytes
  Bytes output;  // output_bytes

  bool operator==(const RostamMeasurement&) const = default;
};

struct RostamNode {
  std::string name;  // unique, without spaces
  RostamType type = RostamType::compute;
  RostamMemory memory = RostamMemory::tensor;
  std::vector<int> successors;              // indices into the nodes, ascending
  std::vector<RostamMeasurement> measured;  // one per batch size

  bool operator==(const RostamNode&) const = default;
};

struct RostamProfile {
  std::string source;             // file of the smallest batch, for error messages
  std::vector<int> batches;       // measured batch sizes, ascending; at least one
  std::vector<RostamNode> nodes;  // topological order, otherwise as in that file
  std::optional<model::AccuracyLaw> accuracy;
};

// The contents of one file; `source` names it in error messages.
struct RostamFile {
  int batch = 1;
  std::string source;
  std::string content;
};

// Needs at least one file, with ascending batches.
RostamProfile parse_rostam(std::span<const RostamFile> files);

// `from` is the source location of the prefix.
RostamProfile read_rostam(const std::string& prefix, const SourceLocation& from = {});

// The computations as operators, and the trained variables. InputError if there are no
// computations.
model::ProfiledGraph to_graph(const RostamProfile& profile);

}  // namespace loom::foreign
