// The collectives of a workload as graphs of channels, those with the same graph taken once.
//
// A pattern is a collective over Groups, however many operations do it. Each of its phases has a
// shape: from which rank to which its channels lead, what waits for what, and which channels have
// messages of the same sizes, whatever the sizes are. The gradients of a model are reduced in many
// pieces, whose patterns have one shape.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/workload/schedule.h"
#include "loom/workload/workload.h"

namespace loom {

struct Pattern {
  int groups = -1;
  int collective = -1;
  int set = -1;                  // of circuits, where they move
  std::vector<int> shapes = {};  // by phase
};

struct PhaseShape {
  int groups = -1;
  int set = -1;
  int ranks = 0;
  bool exchange = false;          // one channel stands for all from each rank to each other
  Phase phase;                    // of the first pattern that has it
  std::vector<int> sizes = {};    // by channel: the same where its messages have the same sizes
  std::int64_t channels() const;  // of one group
};

struct Patterns {
  std::vector<Pattern> patterns;
  std::vector<int> pattern_of;      // by operation; -1 where it is no collective
  std::vector<Schedule> schedules;  // by collective; empty where no operation uses it
  std::vector<PhaseShape> shapes;
};

// Shapes are told apart by a hash of 64 bits. `set_of` by operation: its set of circuits.
Patterns patterns_of(const Workload& workload, std::span<const int> set_of = {});

}  // namespace loom
