// Profiles of Rostam, the simulator of SiP-ML (SIGCOMM 2021): an operator graph with times measured
// at several batch sizes, and the number of iterations to reach the target accuracy.
//
// A profile consists of those files from PREFIX_bs1.pb to PREFIX_bs512.pb that exist, one per batch
// size of a device (rostam.proto), and optionally of PREFIX_iter.prof, a table of global batch
// sizes and iterations. All .pb files must hold the same graph.
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

// The enumerators have the numeric values of the file format.
enum class RostamType : std::uint8_t { compute, memory, control_dependency };
enum class RostamMemory : std::uint8_t { tensor, write_variable, read_variable, constant };

// Measurement of one node at one batch size.
struct RostamMeasurement {
  Duration time{0};
  Bytes bytes;   // num_bytes in the file
  Bytes output;  // output_bytes in the file

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
  std::vector<RostamNode> nodes;  // in topological order; ties in the order of that file
  std::optional<model::AccuracyLaw> accuracy;
};

// The contents of one file; `source` names it in error messages.
struct RostamFile {
  int batch = 1;
  std::string source;
  std::string content;
};

// Combines files into a profile. Needs at least one file, in ascending order of batch sizes.
RostamProfile parse_rostam(std::span<const RostamFile> files);

// Reads the files of a profile. `from` is the source location of the prefix.
RostamProfile read_rostam(const std::string& prefix, const SourceLocation& from = {});

// The graph of the computations, which become operators, and the trained variables. Throws
// InputError if there are no computations.
model::ProfiledGraph to_graph(const RostamProfile& profile);

}  // namespace loom::foreign
