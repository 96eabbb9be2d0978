// State of a group's devices while list scheduling places operators: location of outputs, time at
// which each device is free, memory in use, and peers.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "loom/place/list_schedule.h"

namespace loom::place {

// Candidate placement of one operator: a device for each of its shards.
struct Attempt {
  parallelize::PartitionedOperator op;
  std::vector<int> devices;
  std::vector<Delivery> deliveries;  // deliveries that no earlier operator needed
  std::vector<int> inputs;           // indices of all deliveries that the operator waits for
  Peers peers;
  std::vector<Duration> ends;  // end of the forward pass, per shard
  // Time to return the gradients of the inputs; without ListRule::backward, the longest time that
  // one of the devices needs to sum gradients.
  Duration back{0};

  Duration last() const;
  // Last end plus `back`, then sum of the ends; the lexicographically smaller cost is better.
  std::pair<Duration, Duration> cost() const;
};

class GroupState {
 public:
  GroupState(const parallelize::Job& job, const ListRule& rule);

  // Returns the operator placed on these devices; no value if a limit forbids it.
  std::optional<Attempt> attempt(const parallelize::PartitionedOperator& op,
                                 const std::vector<int>& devices) const;
  void commit(Attempt it);

  bool fits(const parallelize::Shard& shard, int device) const;
  // Time at which the inputs of a shard could be on a device if each were sent in isolation.
  Duration arrival(const parallelize::PartitionedOperator& op, std::size_t shard, int device) const;
  Duration free(int device) const { return free_[static_cast<std::size_t>(device)]; }
  // Total computation time of the shards placed on a device, forward and backward.
  Duration busy(int device) const { return busy_[static_cast<std::size_t>(device)]; }
  const std::vector<int>& devices_of(int op) const {
    return out_.devices[static_cast<std::size_t>(op)];
  }
  const Peers& peers() const { return peers_; }
  Bytes held(int device) const { return out_.memory[static_cast<std::size_t>(device)].total(); }

  // Returns the complete placement; call once.
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
  std::vector<Duration> free_;               // end of the last shard, per device
  std::vector<Duration> busy_;               // computation time, per device
  std::vector<Duration> summing_;            // time to sum gradients; 0 with ListRule::backward
  std::vector<std::vector<Duration>> ends_;  // end of the forward pass, per operator and shard
  std::map<int, std::vector<int>> sent_;     // indices of the deliveries of an operator's output
  Duration forward_{0};
  GroupPlacement out_;
};

}  // namespace loom::place
