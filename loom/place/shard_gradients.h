// Gradients of pieces on their way to the optimizer: gathered into buckets, reduced over whoever
// has the same weights.
//
// A bucket belongs to a set of devices whose pieces share their weights; a piece with weights of
// its own is a set of one. Reductions of a device follow one another: they use the same links.
#pragma once

#include <map>
#include <vector>

#include "loom/parallelize/strategy.h"
#include "loom/place/group_operations.h"

namespace loom {

class ShardGradients {
 public:
  ShardGradients(GroupOperations& operations, const Job& job, int devices)
      : operations_(operations), job_(job), last_(static_cast<std::size_t>(devices)) {}

  // Of weights that these devices share, made by these operations; reduced when there is enough.
  void add(const std::vector<int>& devices, Bytes size, const Operations& made_by);
  // Whatever is left, after these operations where nothing overlaps: by device.
  void flush(const std::vector<Operations>& ended);
  // What the optimizer of a device waits for.
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
  const Job& job_;
  std::map<std::vector<int>, Bucket> open_;
  std::vector<Operations> last_;  // reduction, by device
};

}  // namespace loom
