// The devices of a group while its operators are being placed: what lies where, when each device is
// free, what it holds and whom it talks to.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "loom/place/list_schedule.h"

namespace loom {

// An operator with a place for each of its pieces.
struct Attempt {
  PartitionedOperator op;
  std::vector<int> devices;
  std::vector<Delivery> deliveries;  // those that are new
  std::vector<int> inputs;           // with those, by their number to be
  Peers peers;
  std::vector<Duration> ends;
  Duration back{0};  // what sending its gradients back takes, or summing those of its devices

  Duration last() const;
  std::pair<Duration, Duration> cost() const;  // of two the lesser is better
};

class GroupState {
 public:
  GroupState(const Job& job, const ListRule& rule);

  // The operator on these devices; nothing where a limit forbids it.
  std::optional<Attempt> attempt(const PartitionedOperator& op,
                                 const std::vector<int>& devices) const;
  void commit(Attempt it);

  bool fits(const Shard& shard, int device) const;
  // When a piece could have its inputs on a device, if each were sent by itself.
  Duration arrival(const PartitionedOperator& op, std::size_t shard, int device) const;
  Duration free(int device) const { return free_[static_cast<std::size_t>(device)]; }
  // In all, forward and backward.
  Duration busy(int device) const { return busy_[static_cast<std::size_t>(device)]; }
  const std::vector<int>& devices_of(int op) const {
    return out_.devices[static_cast<std::size_t>(op)];
  }
  const Peers& peers() const { return peers_; }
  Bytes held(int device) const { return out_.memory[static_cast<std::size_t>(device)].total(); }

  // Ends it.
  GroupPlacement placement();

 private:
  bool delivered(int from, const Boxes& need, int device) const;
  bool deliver(Attempt& it, int from, Layout to) const;
  std::optional<Delivery> new_delivery(Attempt& it, int from, Layout to) const;
  bool connect(Attempt& it, const Exchange& exchange) const;
  bool share_weights(Attempt& it) const;
  Duration sum_time(const PartitionedOperator& op) const;

  const Job& job_;
  const ListRule& rule_;
  Peers peers_;
  std::vector<Duration> free_;  // from when on, by device
  std::vector<Duration> busy_;
  std::vector<Duration> summing_;            // gradients, where backward is among the operators
  std::vector<std::vector<Duration>> ends_;  // by operator, then by piece
  std::map<int, std::vector<int>> sent_;     // deliveries of an operator
  Duration forward_{0};
  GroupPlacement out_;
};

}  // namespace loom
