// The pieces of a placed group as operations, operator by operator: what an operator waits for is
// sent, then each of its pieces computes.
#pragma once

#include <map>
#include <vector>

#include "loom/place/group_operations.h"
#include "loom/place/list_schedule.h"

namespace loom {

class ShardSteps {
 public:
  // `blocks` are those of the operators. Messages of a device leave one after another, or together.
  ShardSteps(GroupOperations& operations, const GroupPlacement& placement, std::vector<int> blocks,
             int devices, bool messages_together = false);

  void begin_iteration() { arrived_.assign(place_.deliveries.size(), {}); }
  // Operators in their order, then backward in the opposite one.
  void forward(int op);
  // Gradients come back from all that read the output, then the pieces do their own.
  void backward(int op);

  // By device: its last computation.
  const std::vector<Operations>& computed() const { return computed_; }
  Operations computed_on(const std::vector<int>& devices) const;
  void follow(const std::vector<int>& devices, std::uint32_t computation);

 private:
  // An operation, and what it waited for on the devices that took part from its begin.
  struct Arrival {
    std::uint32_t operation = 0;
    Operations after;
  };
  using Arrivals = std::map<int, std::vector<Arrival>>;  // by device

  OperationTag tag(int op, Purpose purpose, bool forward) const;
  Arrivals send(const std::vector<Transfer>& transfers, int from, const OperationTag& tag);
  Operations waits(int device, const Arrivals& arrivals) const;
  void compute(int op, const Arrivals& arrivals, bool forward);

  GroupOperations& operations_;
  const GroupPlacement& place_;
  std::vector<int> blocks_;
  bool messages_together_ = false;
  std::vector<Operations> computed_;                // last on each device
  std::vector<std::map<int, std::uint32_t>> made_;  // last of each operator, by device
  std::vector<std::vector<int>> readers_;           // of a delivery
  std::vector<std::vector<int>> outputs_;           // deliveries of an operator's output
  std::vector<Arrivals> arrived_;                   // by delivery
};

}  // namespace loom
