// The peers of each device, within the limits of an optical network.
//
// A device on an optical circuit switch has at most as many peers as circuits; one on a fiber ring
// reaches only nearby devices. All replicas are equivalent, so only one is tracked; each device's
// peer in the next replica is counted from the start, and so is the ring through the group, over
// which all traffic can go if necessary.
#pragma once

#include <optional>
#include <vector>

#include "loom/base/error.h"
#include "loom/parallelize/exchange.h"

namespace loom::place {

struct PlacementLimits {
  std::optional<int> degree;         // max peers that a device sends to, and receives from
  std::optional<int> ring_distance;  // max distance on the ring of all devices
  std::optional<Bytes> memory;       // per device

  bool peers() const { return degree || ring_distance; }
};

class Peers {
 public:
  // `ring` reserves a ring through the complete group.
  Peers(int group, int replicas, const PlacementLimits& limits, bool ring);

  // Why not even the rings are possible.
  std::optional<Infeasible> objection() const;

  bool limited() const { return limits_.peers(); }
  // Adds these transfers; collectives use a ring of their devices. Nothing if a limit forbids it.
  std::optional<Peers> with(const std::vector<parallelize::Transfer>& transfers) const;

 private:
  bool connect(int from, int to);
  bool add(const parallelize::Transfer& transfer);

  int group_ = 1;
  int replicas_ = 1;
  PlacementLimits limits_;
  std::vector<char> known_;    // from × group + to
  std::vector<int> sends_to_;  // number of peers, per device
  std::vector<int> gets_from_;
};

}  // namespace loom::place
