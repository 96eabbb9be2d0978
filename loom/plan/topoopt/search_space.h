// Search space of operator configurations: for each operator of a job, its partitions and their
// places on the servers.
//
// As in TopoOpt (NSDI 2023), which uses FlexFlow's search (MLSys 2019), an operator is data
// parallel on all servers with a copy of the weights, owned by one server, or partitioned into k
// shards on k servers. A configuration is a partition and the server of its first shard; the other
// shards are evenly spaced over all servers. k divides the number of servers.
//
// The traffic between two operators follows from their configurations (parallelize/exchange.h),
// gradient sums from the servers that share weights.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "loom/parallelize/exchange.h"
#include "loom/parallelize/operator_partitioner.h"
#include "loom/place/list_schedule.h"
#include "loom/place/lower.h"

namespace loom::plan {

struct OperatorConfiguration {
  int partition = 0;  // index into the operator's partitions
  int first = 0;      // server of its first shard

  bool operator==(const OperatorConfiguration&) const = default;
};

using OperatorConfigurations = std::vector<OperatorConfiguration>;  // per operator

class SearchSpace {
 public:
  struct Input {
    const model::Model& model;
    const parallelize::Job& job;
    const model::Accelerator& accelerator;
    const model::MeasuredTimes& measured;
    int servers = 1;
  };

  // Splits the embedding tables into separate operators (model/families/split_tables.h).
  explicit SearchSpace(const Input& input);
  SearchSpace(const SearchSpace&) = delete;
  SearchSpace& operator=(const SearchSpace&) = delete;

  int servers() const { return servers_; }
  int operators() const { return static_cast<int>(partitions_.size()); }
  const model::Model& model() const { return model_; }
  const parallelize::Job& job() const { return job_; }
  const model::Accelerator& accelerator() const { return accelerator_; }

  int partitions(int op) const { return static_cast<int>(partitions_[index(op)].size()); }
  const parallelize::PartitionedOperator& partition(int op,
                                                    const OperatorConfiguration& config) const {
    return partitions_[index(op)][index(config.partition)];
  }
  // The first shard may be on servers 0 to places() - 1.
  int places(int op, int partition) const;
  int server(int op, const OperatorConfiguration& config, int shard) const;
  std::vector<int> servers_of(int op, const OperatorConfiguration& config) const;
  const std::vector<int>& readers(int op) const { return readers_[index(op)]; }

  Bytes shard_memory(int op, const OperatorConfiguration& config, int shard) const;

  // The two common configurations: data parallel on as many servers as possible, or on one server.
  OperatorConfiguration replicated(int op) const;
  OperatorConfiguration owned(int op, int server) const { return {0, server % places(op, 0)}; }
  // Index of the partition with that dimension and degree, if the operator has one.
  std::optional<int> find_partition(int op, const parallelize::OperatorPartition& wanted) const;

  // Transfers of input number `input` to operator `to`, and of its gradients back.
  parallelize::Exchange exchange(int to, std::size_t input,
                                 const OperatorConfigurations& configs) const;

  struct Message {
    int from = 0;
    int to = 0;
    std::int64_t bytes = 0;
  };
  // The forward transfers of exchange() if both operators are unpartitioned or partitioned by
  // samples: they are then messages, found without comparing every pair of shards. No value
  // otherwise.
  std::optional<std::vector<Message>> sample_messages(int to, std::size_t input,
                                                      const OperatorConfigurations& configs) const;

  // Why the fullest server cannot hold its shards; no value if all servers can.
  std::optional<Infeasible> memory_objection(const OperatorConfigurations& configs) const;

  std::variant<place::GroupPlacement, Infeasible> placed(
      const OperatorConfigurations& configs) const;
  place::LoweredJob lowered(const place::GroupPlacement& placement, int iterations,
                            const place::ChooseAlgorithm& choose) const;

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void add_partition(const parallelize::OperatorPartitioner& partitioner, int op,
                     const parallelize::OperatorPartition& partition);

  model::Model model_;
  parallelize::Job job_;
  model::Accelerator accelerator_;
  int servers_ = 1;
  std::vector<std::vector<parallelize::PartitionedOperator>>
      partitions_;  // per operator; first: degree 1
  std::vector<std::vector<int>> readers_;
};

// Describes configurations: "64 of 64 tables owned by 60 servers (at most 2 each), 45 operators
// replicated, …"
std::string to_text(const SearchSpace& space, const OperatorConfigurations& configs);

}  // namespace loom::plan
