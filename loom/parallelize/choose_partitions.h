// Chooses the partition of every operator: as the caller specifies, or with the highest degree
// whose shards are still worth a kernel, along the cheapest dimension.
//
// SiP-ML's quantum: an accelerator cannot usefully run a kernel of a microsecond, so no shard is
// shorter than the quantum. The dimension is chosen operator by operator in model order, by the
// time of the longest shard, of its inputs' transfers, of the sums it leaves, and of the gradients
// of weights that its shards share.
#pragma once

#include <string>
#include <variant>

#include "loom/parallelize/exchange.h"
#include "loom/parallelize/operator_partitioner.h"

namespace loom::parallelize {

// `*` in `pattern` matches anything, as in measured times; the first match of an operator counts.
struct ManualPartition {
  std::string pattern;
  OperatorPartition partition;
};

struct PartitionRule {
  int devices = 1;  // per group
  Duration quantum = std::chrono::microseconds(10);
  // Memory-bound operators are fused into the adjacent product's kernel and ignore the quantum.
  bool fused_passes = false;
  // Partitions operators with weights by parameters wherever possible; used if memory is short.
  bool spread_weights = false;
  std::vector<ManualPartition> manual;
  LinkEstimate link;
};

// Cost of an operator given those already partitioned, as if shard i of each were on device i.
struct PartitionEstimate {
  LinkEstimate link;
  bool backward = true;  // gradients return along the transfer of each output

  // `gradients`: gradients that shards with the same weights sum.
  Duration cost(const PartitionedOperator& it, const std::vector<PartitionedOperator>& before,
                Bytes gradients) const;
};

std::variant<std::vector<OperatorPartition>, Infeasible> choose_partitions(
    const OperatorPartitioner& partitioner, const PartitionRule& rule);

}  // namespace loom::parallelize
