// Lowers the shards of a placed group to operations, operator by operator: sends its inputs, then
// computes each of its shards.
#pragma once

#include <map>
#include <vector>

#include "loom/place/group_operations.h"
#include "loom/place/list_schedule.h"

namespace loom::place {

class ShardSteps {
 public:
  // `blocks`: block per operator. Messages of a device are sent in sequence, or concurrently.
  ShardSteps(GroupOperations& operations, const GroupPlacement& placement, std::vector<int> blocks,
             int devices, bool messages_together = false);

  void begin_iteration() { arrived_.assign(place_.deliveries.size(), {}); }
  // Call for the operators in order, then backward() in reverse order.
  void forward(int op);
  // Returns the gradients from all readers of the output, then computes the shards.
  void backward(int op);

  // Last computation, per device.
  const std::vector<Operations>& computed() const { return computed_; }
  Operations computed_on(const std::vector<int>& devices) const;
  void follow(const std::vector<int>& devices, std::uint32_t computation);

 private:
  // An operation, and its dependencies on the devices that take part in it from the start.
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
  std::vector<Operations> computed_;                // last per device
  std::vector<std::map<int, std::uint32_t>> made_;  // last per operator and device
  std::vector<std::vector<int>> readers_;           // per delivery
  std::vector<std::vector<int>> outputs_;           // deliveries of an operator's output
  std::vector<Arrivals> arrived_;                   // per delivery
};

}  // namespace loom::place
