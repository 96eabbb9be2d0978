// Number of circuits on each segment of a fiber ring, per direction.
#pragma once

#include <array>
#include <vector>

#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/circuits/provision/arc_coloring.h"

namespace loom::fabric {

// Circuits of one pair, per direction.
using Split = std::array<int, 2>;

// Number of segments, and the segments that a circuit crosses. Without wavelength reuse, all
// circuits of a direction count as being on one segment.
int segments_of(const RingLimits& limits);
Arc arc_of(const RingLimits& limits, int from, int to, int direction);

// The directions in which the pair can have a circuit, shorter arc first; clockwise first if both
// arcs have the same length.
std::vector<int> directions_of(const RingLimits& limits, int from, int to);

class RingLoads {
 public:
  // Each segment carries `capacity` circuits in each direction.
  RingLoads(const RingLimits& limits, int capacity);

  bool take(int from, int to, int direction);  // adds one circuit if all its segments have room
  void add(int from, int to, int direction, int circuits);
  int max() const;  // load of the busiest segment

 private:
  const RingLimits& limits_;
  int capacity_;
  std::array<std::vector<int>, 2> load_;  // per direction and segment
};

// Circuit counts for a demand that fit the segments, and the remaining capacity.
class RingCounts {
 public:
  RingCounts(const RingLimits& limits, const workload::Demand& demand, int capacity);

  bool take(int pair);  // adds one circuit, over the shorter arc if it has room
  void set(const std::vector<Split>& split);
  bool has_direction_choice() const;
  const std::vector<Split>& split() const { return split_; }

 private:
  const workload::Demand& demand_;
  RingLoads loads_;
  std::vector<Split> split_;
  std::vector<std::vector<int>> directions_;  // possible directions per pair
};

}  // namespace loom::fabric
