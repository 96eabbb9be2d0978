// Collects the gradients of shards in buckets and reduces each bucket over all devices with the
// same weights, before the optimizer runs.
//
// A bucket belongs to a set of devices whose shards share their weights; a shard with its own
// weights has a set of one device. The reductions of a device run in sequence, because they use the
// same links.
#pragma once

#include <map>
#include <vector>

#include "loom/parallelize/strategy.h"
#include "loom/place/group_operations.h"

namespace loom::place {

class ShardGradients {
 public:
  ShardGradients(GroupOperations& operations, const parallelize::Job& job, int devices)
      : operations_(operations), job_(job), last_(static_cast<std::size_t>(devices)) {}

  // Adds gradients of weights that the devices share, computed by the operations `made_by`. If
  // reductions overlap with computation, reduces the bucket when it is full.
  void add(const std::vector<int>& devices, Bytes size, const Operations& made_by);
  // Reduces the remaining buckets. If reductions do not overlap with computation, they wait for the
  // operations `ended` of their devices.
  void flush(const std::vector<Operations>& ended);
  // The last reduction of a device, which its optimizer waits for.
  const Operations& last(int device) const { return last_[static_cast<std::size_t>(device)]; }
  void next_iteration();

 private:
  struct Bucket {
    Bytes size;
    Operations after;
  };

  void reduce(const std::vector<int>& devices, const Bucket& bucket);
  void then(const std::vector<int>& devices, std::uint32_t done);

  GroupOperations& operations_;
  const parallelize::Job& job_;
  std::map<std::vector<int>, Bucket> open_;
  std::vector<Operations> last_;  // last reduction, per device
};

}  // namespace loom::place
