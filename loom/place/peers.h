// Who a device talks to, kept within what an optical network can light.
//
// A device of an optical circuit switch has as many peers as it has circuits; one on a ring of
// fibre reaches those near it. All replicas look the same, so the devices of one are followed; that
// each also talks to its like in the next replica is counted from the start, and so is the ring
// through the group, over which everything can go if need be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loom/parallelize/exchange.h"

namespace loom {

struct PlacementLimits {
  std::optional<int> degree;         // peers that a device may send to, and get from
  std::optional<int> ring_distance;  // around the ring of all devices
  std::optional<Bytes> memory;       // of a device

  bool peers() const { return degree || ring_distance; }
};

class Peers {
 public:
  // With `ring` one through the whole group is set aside.
  Peers(int group, int replicas, const PlacementLimits& limits, bool ring);

  // Why not even the rings can be; "" if they can.
  std::string objection() const;

  bool limited() const { return limits_.peers(); }
  // With these as well, collectives going round the ring of their devices; nothing if a limit
  // forbids it.
  std::optional<Peers> with(const std::vector<Transfer>& transfers) const;

 private:
  bool connect(int from, int to);
  bool add(const Transfer& transfer);

  int group_ = 1;
  int replicas_ = 1;
  PlacementLimits limits_;
  std::vector<char> known_;    // from × group + to
  std::vector<int> sends_to_;  // how many, by device
  std::vector<int> gets_from_;
};

}  // namespace loom
