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
#include "loom/model/time_to_accuracy.h"
#include "loom/workload/workload.h"

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

  // One measured batch says nothing of a larger one.
  bool covers(double batch) const { return batches.size() > 1 || batch <= batches.front(); }

  // Straight lines between measured batches, the last one continued beyond the largest, though not
  // below 0; below the smallest its own value. Rounded to the nearest; LimitError where it does not
  // fit. Need covers(batch).
  Duration time(std::size_t node, double batch) const;
  Bytes bytes(std::size_t node, double batch) const;
  Bytes output(std::size_t node, double batch) const;
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
RostamProfile read_rostam(const std::string& prefix, const Place& from = {});

struct RostamTraining {
  int devices = 1;
  std::int64_t batch = 1;  // of all devices together
  Algorithm algorithm = Algorithm::ring;
};

// One iteration, data parallel: every device does all the work for its part of the batch.
// InputError where the profile computes nothing or does not cover that part, or where so many
// devices cannot run the algorithm.
Workload to_workload(const RostamProfile& profile, const RostamTraining& training);

}  // namespace loom
