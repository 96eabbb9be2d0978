// State of a group's devices while operators are placed: location of outputs, time at which each
// device is free, memory in use, and peers.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "loom/place/list_schedule.h"

namespace loom::place {

// An operator with a device for each of its shards.
struct Attempt {
  parallelize::PartitionedOperator op;
  std::vector<int> devices;
  std::vector<Delivery> deliveries;  // only the new ones
  std::vector<int> inputs;           // indices of deliveries, including the new ones
  Peers peers;
  std::vector<Duration> ends;
  Duration back{0};  // time to return its gradients, or to sum those of its devices

  Duration last() const;
  std::pair<Duration, Duration> cost() const;  // lexicographic; less is better
};

class GroupState {
 public:
  GroupState(const parallelize::Job& job, const ListRule& rule);

  // The operator on these devices; nothing if a limit forbids it.
  std::optional<Attempt> attempt(const parallelize::PartitionedOperator& op,
                                 const std::vector<int>& devices) const;
  void commit(Attempt it);

  bool fits(const parallelize::Shard& shard, int device) const;
  // Time at which the inputs of a shard could be on a device if each were sent in isolation.
  Duration arrival(const parallelize::PartitionedOperator& op, std::size_t shard, int device) const;
  Duration free(int device) const { return free_[static_cast<std::size_t>(device)]; }
  // Total, forward and backward.
  Duration busy(int device) const { return busy_[static_cast<std::size_t>(device)]; }
  const std::vector<int>& devices_of(int op) const {
    return out_.devices[static_cast<std::size_t>(op)];
  }
  const Peers& peers() const { return peers_; }
  Bytes held(int device) const { return out_.memory[static_cast<std::size_t>(device)].total(); }

  // Finishes; call once.
  GroupPlacement placement();

 private:
  bool delivered(int from, const parallelize::Boxes& need, int device) const;
  bool deliver(Attempt& it, int from, parallelize::Layout to) const;
  std::optional<Delivery> new_delivery(Attempt& it, int from, parallelize::Layout to) const;
  bool connect(Attempt& it, const parallelize::Exchange& exchange) const;
  bool share_weights(Attempt& it) const;
  Duration sum_time(const parallelize::PartitionedOperator& op) const;

  const parallelize::Job& job_;
  const ListRule& rule_;
  Peers peers_;
  std::vector<Duration> free_;  // time point, per device
  std::vector<Duration> busy_;
  std::vector<Duration> summing_;            // gradients, if the operators include backward
  std::vector<std::vector<Duration>> ends_;  // per operator, then per shard
  std::map<int, std::vector<int>> sent_;     // deliveries per operator
  Duration forward_{0};
  GroupPlacement out_;
};

}  // namespace loom::place
