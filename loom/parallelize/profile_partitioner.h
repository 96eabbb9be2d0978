// Operators of a profiled graph cut by samples.
//
// How long a piece takes is what was measured for as many samples as it has; other dimensions were
// not measured and are not cut. Where an output grows with the batch each piece makes its samples
// of it; where it does not it is of all samples, a gradient or a loss, and each piece makes a
// summand. An operator that gets nothing of samples and gives nothing of them is not cut.
#pragma once

#include <vector>

#include "loom/model/profiled_graph.h"
#include "loom/parallelize/choose_partitions.h"

namespace loom {

class ProfilePartitioner {
 public:
  // With so many samples for the group together. Only whole ones can be divided.
  ProfilePartitioner(const ProfiledGraph& graph, double samples, Duration quantum);

  // As many ways, up to so many, as leave every piece its quantum.
  int finest(int op, int max_degree) const;
  // Sizes count in bytes. Needs at most as many ways as samples.
  PartitionedOperator partition(int op, int degree) const;
  // Each operator as finely as its estimated cost falls, halving the ways from the finest.
  std::vector<PartitionedOperator> choose(int devices, const LinkEstimate& link) const;

 private:
  bool divisible(int op) const;
  Bytes not_yet_summed(int op, const std::vector<char>& summed) const;
  Duration shard_time(int op, int degree, int shard) const;
  Box whole(int op) const;
  Box slice(int op, int degree, int shard) const;
  Boxes need(const ProfiledInput& input, int degree, int shard) const;

  const ProfiledGraph& graph_;
  double samples_ = 1;
  std::int64_t grains_ = 1;  // whole samples
  Duration quantum_;
  std::vector<std::vector<int>> variables_;  // by operator, those that it is known to use
};

}  // namespace loom
