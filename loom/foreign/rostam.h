// Profiles of Rostam, the simulator of SiP-ML (SIGCOMM 2021): a graph of operators with the times
// measured for several batch sizes, and the iterations to accuracy.
//
// A profile is the files PREFIX_bs1.pb to PREFIX_bs512.pb, those that exist, one for each batch
// size of one device (rostam.proto), and perhaps PREFIX_iter.prof, a table of global batches and
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

namespace loom {

// In the order of the file format.
enum class RostamType : std::uint8_t { compute, memory, control_dependency };
enum class RostamMemory : std::uint8_t { tensor, write_variable, read_variable, constant };

// Of one node with one batch size.
struct RostamMeasurement {
  Duration time{0};
  Bytes bytes;   // num_bytes
  Bytes output;  // output_bytes

  bool operator==(const RostamMeasurement&) const = default;
};

struct RostamNode {
  std::string name;  // each is there once; no spaces
  RostamType type = RostamType::compute;
  RostamMemory memory = RostamMemory::tensor;
  std::vector<int> successors;              // places among the nodes, ascending
  std::vector<RostamMeasurement> measured;  // for each batch size

  bool operator==(const RostamNode&) const = default;
};

struct RostamProfile {
  std::string source;             // the file of the smallest batch, for messages
  std::vector<int> batches;       // measured, ascending; at least one
  std::vector<RostamNode> nodes;  // each before its successors, otherwise as in that file
  std::optional<AccuracyLaw> accuracy;
};

// What one file holds; `source` names it in messages.
struct RostamFile {
  int batch = 1;
  std::string source;
  std::string content;
};

// Needs at least one file; batches ascend.
RostamProfile parse_rostam(std::span<const RostamFile> files);

// `from` is where the prefix was given.
RostamProfile read_rostam(const std::string& prefix, const SourceLocation& from = {});

// Its computations as operators, and the variables that it trains. InputError where it computes
// nothing.
ProfiledGraph to_graph(const RostamProfile& profile);

}  // namespace loom
