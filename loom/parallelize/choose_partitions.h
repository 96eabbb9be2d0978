// Chooses how each operator is partitioned: as the caller specifies, or to the highest degree at
// which every shard still runs for a quantum, along the dimension with the lowest estimated cost.
//
// The quantum is SiP-ML's: an accelerator runs kernels of about a microsecond inefficiently.
// Operators are partitioned one after another in model order. The estimated cost is the run time of
// the longest shard, plus the times to transfer its inputs, to reduce partial outputs, and to
// all-reduce the gradients of weights that several shards hold.
#pragma once

#include <string>
#include <variant>

#include "loom/parallelize/exchange.h"
#include "loom/parallelize/operator_partitioner.h"

namespace loom::parallelize {

// A partition given by the user for all operators whose name matches `pattern`; `*` matches any
// text. The first match of an operator counts.
struct ManualPartition {
  std::string pattern;
  OperatorPartition partition;
};

struct PartitionRule {
  int devices = 1;  // per group
  Duration quantum = std::chrono::microseconds(10);
  // Memory-bound operators ignore the quantum, because they are fused into the kernel of the
  // adjacent product.
  bool fused_passes = false;
  // Partitions operators with weights by parameters wherever possible; used if memory is short.
  bool spread_weights = false;
  std::vector<ManualPartition> manual;
  LinkEstimate link;
};

// Estimates the cost of a partitioned operator, given the partitions of the operators before it and
// as if shard i of each operator were on device i.
struct PartitionEstimate {
  LinkEstimate link;
  bool backward = true;  // includes the transfers of gradients back to the inputs

  // `gradients` is the size of the gradients that are all-reduced over the shards if all have the
  // same weights.
  Duration cost(const PartitionedOperator& it, const std::vector<PartitionedOperator>& before,
                Bytes gradients) const;
};

std::variant<std::vector<OperatorPartition>, Infeasible> choose_partitions(
    const OperatorPartitioner& partitioner, const PartitionRule& rule);

}  // namespace loom::parallelize
