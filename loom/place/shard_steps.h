// Lowers the shards of a placed group to operations, operator by operator: the transfers of its
// inputs, then the computation of its shards.
#pragma once

#include <map>
#include <vector>

#include "loom/place/group_operations.h"
#include "loom/place/list_schedule.h"

namespace loom::place {

class ShardSteps {
 public:
  // `blocks`: block of the model, per operator. `messages_together`: a device sends the messages of
  // one delivery concurrently instead of in sequence.
  ShardSteps(GroupOperations& operations, const GroupPlacement& placement, std::vector<int> blocks,
             int devices, bool messages_together = false);

  void begin_iteration() { arrived_.assign(place_.deliveries.size(), {}); }
  // Adds the transfers of the operator's inputs and its forward computation. Call it for all
  // operators in order, then call backward() in reverse order.
  void forward(int op);
  // Adds the transfers of gradients from all readers of the output, then the backward computation.
  void backward(int op);

  // The last computation of each device.
  const std::vector<Operations>& computed() const { return computed_; }
  Operations computed_on(const std::vector<int>& devices) const;
  // Makes `computation` the last computation of these devices.
  void follow(const std::vector<int>& devices, std::uint32_t computation);

 private:
  // A transfer to a device. `after`: computations that the transfer waits for, so that a task that
  // waits for the transfer need not wait for them. Empty for a message, whose destination waits for
  // no computation.
  struct Arrival {
    std::uint32_t operation = 0;
    Operations after;
  };
  using Arrivals = std::map<int, std::vector<Arrival>>;  // by device

  OperationTag tag(int op, Purpose purpose, bool forward) const;
  Arrivals send(const std::vector<parallelize::Transfer>& transfers, int from,
                const OperationTag& tag);
  Operations waits(int device, const Arrivals& arrivals) const;
  void compute(int op, const Arrivals& arrivals, bool forward);

  GroupOperations& operations_;
  const GroupPlacement& place_;
  std::vector<int> blocks_;
  bool messages_together_ = false;
  std::vector<Operations> computed_;                // last computation, per device
  std::vector<std::map<int, std::uint32_t>> made_;  // last computation, per operator and device
  std::vector<std::vector<int>> readers_;           // operators that wait for a delivery
  std::vector<std::vector<int>> outputs_;           // deliveries of an operator's output
  std::vector<Arrivals> arrived_;                   // transfers of a delivery
};

}  // namespace loom::place
