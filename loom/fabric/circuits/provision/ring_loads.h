// How many circuits each segment of a fibre ring carries, in each direction.
#pragma once

#include <array>
#include <vector>

#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/circuits/provision/arc_coloring.h"

namespace loom {

// Of one pair, by direction.
using Split = std::array<int, 2>;

// Where wavelengths are not used again all circuits of a direction count as on one segment.
int segments_of(const RingLimits& limits);
Arc arc_of(const RingLimits& limits, int from, int to, int direction);

// The directions in which the pair can have a circuit, the shorter first; clockwise where equal.
std::vector<int> directions_of(const RingLimits& limits, int from, int to);

class RingLoads {
 public:
  // Each segment carries `capacity` circuits in each direction.
  RingLoads(const RingLimits& limits, int capacity);

  bool take(int from, int to, int direction);  // one circuit, if all of its segments have room
  void add(int from, int to, int direction, int circuits);
  int max() const;  // over the busiest segment

 private:
  const RingLimits& limits_;
  int capacity_;
  std::array<std::vector<int>, 2> load_;  // by direction, then segment
};

// Numbers of circuits for a demand that fit the segments, and the room they leave.
class RingCounts {
 public:
  RingCounts(const RingLimits& limits, const Demand& demand, int capacity);

  bool take(int pair);  // one circuit more, over the shorter arc if that has room
  void set(const std::vector<Split>& split);
  bool has_direction_choice() const;
  const std::vector<Split>& split() const { return split_; }

 private:
  const Demand& demand_;
  RingLoads loads_;
  std::vector<Split> split_;
  std::vector<std::vector<int>> directions_;  // by pair: the directions it can go
};

}  // namespace loom
