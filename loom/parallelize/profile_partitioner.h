// Partitions the operators of a profiled graph by samples.
//
// A shard takes the time measured for its number of samples; other dimensions were not measured. If
// an output grows with the batch, each shard computes its samples of it; otherwise the output (a
// gradient or a loss) covers all samples, and each shard computes a partial sum. An operator whose
// inputs and output do not depend on the batch is not partitioned.
#pragma once

#include <vector>

#include "loom/model/profiled_graph.h"
#include "loom/parallelize/choose_partitions.h"

namespace loom::parallelize {

class ProfilePartitioner {
 public:
  // `samples` is the batch of the whole group; operators can be partitioned only if it is an
  // integer.
  ProfilePartitioner(const model::ProfiledGraph& graph, double samples, Duration quantum);

  // The highest degree up to `max_degree` at which every shard takes at least a quantum.
  int finest(int op, int max_degree) const;
  // The partition of one operator; its elements are bytes. The degree may not exceed the number of
  // samples.
  PartitionedOperator partition(int op, int degree) const;
  // Chooses for each operator the degree with the lowest estimated cost: the finest, about half of
  // it, and so on down to 1.
  std::vector<PartitionedOperator> choose(int devices, const LinkEstimate& link) const;

 private:
  bool divisible(int op) const;
  Bytes not_yet_summed(int op, const std::vector<char>& summed) const;
  Duration shard_time(int op, int degree, int shard) const;
  Box whole(int op) const;
  Box slice(int op, int degree, int shard) const;
  Boxes need(const model::ProfiledInput& input, int degree, int shard) const;

  const model::ProfiledGraph& graph_;
  double samples_ = 1;
  std::int64_t grains_ = 1;  // integer samples
  Duration quantum_;
  std::vector<std::vector<int>> variables_;  // per operator: variables that it is known to use
};

}  // namespace loom::parallelize
