// Tracks the peers of each device, within the limits of an optical network.
//
// A device on an optical circuit switch has at most as many peers as circuits; a device on a fiber
// ring reaches only nearby devices. All replicas are equivalent, so only one is tracked. Two peers
// of each device are counted from the start: its counterpart in the next replica, if there are
// several, and its successor on the ring through the group, if that ring is reserved. The ring can
// carry all traffic if necessary.
#pragma once

#include <optional>
#include <vector>

#include "loom/base/error.h"
#include "loom/parallelize/exchange.h"

namespace loom::place {

struct PlacementLimits {
  std::optional<int> degree;         // max number of peers to send to, and to receive from
  std::optional<int> ring_distance;  // max distance on the ring of all devices
  std::optional<Bytes> memory;       // max memory use per device

  bool peers() const { return degree || ring_distance; }
};

class Peers {
 public:
  // `ring` reserves a ring through the complete group.
  Peers(int group, int replicas, const PlacementLimits& limits, bool ring);

  // Returns the reason if the limits forbid even the ring of the group or of the replicas.
  std::optional<Infeasible> objection() const;

  bool limited() const { return limits_.peers(); }
  // Returns these peers plus those that the transfers need; no value if a limit forbids it. An
  // all-to-all connects all pairs of its devices, other collectives use a ring.
  std::optional<Peers> with(const std::vector<parallelize::Transfer>& transfers) const;

 private:
  bool connect(int from, int to);
  bool add(const parallelize::Transfer& transfer);

  int group_ = 1;
  int replicas_ = 1;
  PlacementLimits limits_;
  std::vector<char> known_;     // 1 if `from` sends to `to`, at index from × group + to
  std::vector<int> sends_to_;   // number of peers that each device sends to
  std::vector<int> gets_from_;  // number of peers that each device receives from
};

}  // namespace loom::place
