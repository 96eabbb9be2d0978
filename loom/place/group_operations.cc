#include "loom/place/group_operations.h"

namespace loom::place {

std::uint32_t GroupOperations::compute(const std::vector<int>& devices, Duration time,
                                       const Operations& after, const OperationTag& tag) {
  return builder_.compute(groups(Side::each, devices), time, after, tag);
}

std::uint32_t GroupOperations::transfer(const parallelize::Transfer& transfer,
                                        const Operations& after, const OperationTag& tag) {
  return builder_.collective(transfer.kind, transfer.size, groups(Side::together, transfer.devices),
                             after, tag);
}

std::uint32_t GroupOperations::reduce_replicas(int device, Bytes size, const Operations& after,
                                               const OperationTag& tag) {
  return builder_.collective(workload::CollectiveKind::all_reduce, padded(size, replicas_),
                             groups(Side::across, {device}), after, tag);
}

int GroupOperations::groups(Side side, const std::vector<int>& devices) {
  const auto known = groups_.find({side, devices});
  if (known != groups_.end()) return known->second;
  workload::Groups made;
  made.size = side == Side::each       ? 1
              : side == Side::together ? static_cast<int>(devices.size())
                                       : replicas_;
  for (int r = 0; r < replicas_; ++r) {
    for (const int device : devices) made.members.push_back(r * devices_ + device);
  }
  const int index = builder_.add_groups(std::move(made));
  groups_.emplace(std::pair(side, devices), index);
  return index;
}

}  // namespace loom::place
