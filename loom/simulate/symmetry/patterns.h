// The collectives of a workload as channel graphs, with equal graphs stored once.
//
// A pattern is a collective over Groups; any number of operations may run it. Each of its phases
// has a shape: the source and destination ranks of its channels, their waits, and which channels
// have messages of equal sizes, regardless of the sizes themselves. The gradients of a model, for
// example, are reduced in many pieces; the patterns of all pieces share one shape.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/workload/schedule.h"
#include "loom/workload/workload.h"

namespace loom::simulate {

struct Pattern {
  int groups = -1;
  int collective = -1;
  int set = -1;                  // circuit set, if circuits are reconfigured
  std::vector<int> shapes = {};  // by phase
};

struct PhaseShape {
  int groups = -1;
  int set = -1;
  int ranks = 0;
  bool exchange = false;          // one channel represents those from each rank to each other
  workload::Phase phase;          // from the first pattern with this shape
  std::vector<int> sizes = {};    // per channel: equal if the messages have equal sizes
  std::int64_t channels() const;  // per group
};

struct Patterns {
  std::vector<Pattern> patterns;
  std::vector<int> pattern_of;                // per operation; -1 if it is not a collective
  std::vector<workload::Schedule> schedules;  // per collective; empty if no operation uses it
  std::vector<PhaseShape> shapes;
};

// Lists the patterns of a workload. Shapes are distinguished by a 64-bit hash. `set_of` is the
// circuit set of each operation.
Patterns patterns_of(const workload::Workload& workload, std::span<const int> set_of = {});

}  // namespace loom::simulate
