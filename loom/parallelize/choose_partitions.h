// Which way to cut every operator: as the caller says, or into as many pieces as stay worth a
// kernel, along the dimension that costs least.
//
// SiP-ML's quantum: an accelerator cannot usefully run a kernel of a microsecond, so no operator is
// cut into pieces shorter than it. The dimension is chosen operator by operator in the order of the
// model, by the time of the longest piece, of what the operators before it have to send, of the
// sums it leaves, and of the gradients of weights that its pieces share.
#pragma once

#include <string>
#include <variant>

#include "loom/parallelize/exchange.h"
#include "loom/parallelize/operator_partitioner.h"

namespace loom {

// In `pattern` * stands for anything, as in measured times; the first that fits an operator counts.
struct ManualPartition {
  std::string pattern;
  OperatorPartition partition;
};

struct PartitionRule {
  int devices = 1;  // of the group
  Duration quantum = std::chrono::microseconds(10);
  // A pass over memory runs in the kernel of the product beside it: the quantum is not asked.
  bool fused_passes = false;
  // Operators with weights are cut by parameters wherever they can be: where memory is short.
  bool spread_weights = false;
  std::vector<ManualPartition> manual;
  LinkEstimate link;
};

// The answer is no, and why.
struct Infeasible {
  std::string why;
};

// What an operator costs after those that were cut before it, as if piece i of each lay on device
// i.
struct PartitionEstimate {
  LinkEstimate link;
  bool backward = true;  // gradients go back the way each output came

  // `gradients` are those that pieces with the same weights add up.
  Duration cost(const PartitionedOperator& it, const std::vector<PartitionedOperator>& before,
                Bytes gradients) const;
};

std::variant<std::vector<OperatorPartition>, Infeasible> choose_partitions(
    const OperatorPartitioner& partitioner, const PartitionRule& rule);

}  // namespace loom
