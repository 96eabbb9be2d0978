// The ways in which the servers of one job can do each of its operators.
//
// TopoOpt (NSDI 2023) has the search of FlexFlow (MLSys 2019) say of every operator how it is done:
// by all servers, each with its samples and a copy of the weights (data parallel), whole by one
// server that owns it, or cut into k pieces over k servers. A way here is a cut and the server of
// its first piece; the others follow evenly spread round all servers, so a cut into as many pieces
// as there are servers uses each once, and one into a single piece may lie anywhere. k divides the
// number of servers.
//
// What is sent between operators follows from the ways of both (parallelize/exchange.h), what is
// summed up from who shares weights.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "loom/parallelize/exchange.h"
#include "loom/parallelize/operator_partitioner.h"
#include "loom/place/list_schedule.h"
#include "loom/place/lower.h"

namespace loom {

struct OperatorConfiguration {
  int partition = 0;  // which of the operator's
  int first = 0;      // server of its first piece

  bool operator==(const OperatorConfiguration&) const = default;
};

using OperatorConfigurations = std::vector<OperatorConfiguration>;  // by operator

class SearchSpace {
 public:
  struct Input {
    const Model& model;
    const Job& job;
    const Accelerator& accelerator;
    const MeasuredTimes& measured;
    int servers = 1;
  };

  // Tables become operators of their own (model/families/split_tables.h).
  explicit SearchSpace(const Input& input);
  SearchSpace(const SearchSpace&) = delete;
  SearchSpace& operator=(const SearchSpace&) = delete;

  int servers() const { return servers_; }
  int operators() const { return static_cast<int>(partitions_.size()); }
  const Model& model() const { return model_; }
  const Job& job() const { return job_; }
  const Accelerator& accelerator() const { return accelerator_; }

  int partitions(int op) const { return static_cast<int>(partitions_[index(op)].size()); }
  const PartitionedOperator& partition(int op, const OperatorConfiguration& config) const {
    return partitions_[index(op)][index(config.partition)];
  }
  // Where its first piece may lie: from 0 to this.
  int places(int op, int partition) const;
  int server(int op, const OperatorConfiguration& config, int shard) const;
  std::vector<int> servers_of(int op, const OperatorConfiguration& config) const;
  const std::vector<int>& readers(int op) const { return readers_[index(op)]; }

  Bytes shard_memory(int op, const OperatorConfiguration& config, int shard) const;

  // The usual ways: over as many servers as there are samples for, or whole on one server.
  OperatorConfiguration replicated(int op) const;
  OperatorConfiguration owned(int op, int server) const { return {0, server % places(op, 0)}; }
  // The one of the operator with that dimension and number of pieces, if there is one.
  std::optional<int> find_partition(int op, const OperatorPartition& wanted) const;

  // What input `input` of an operator asks its source to send.
  Exchange exchange(int to, std::size_t input, const OperatorConfigurations& configs) const;

  struct Message {
    int from = 0;
    int to = 0;
    std::int64_t bytes = 0;
  };
  // The same, forward, where both sides are whole or cut by samples: messages only, found without
  // looking at every two pieces. Nothing where some side is cut otherwise.
  std::optional<std::vector<Message>> sample_messages(int to, std::size_t input,
                                                      const OperatorConfigurations& configs) const;

  // The first reason why servers cannot hold it all; "" if there is none.
  std::string memory_objection(const OperatorConfigurations& configs) const;

  std::variant<GroupPlacement, Infeasible> placed(const OperatorConfigurations& configs) const;
  LoweredJob lowered(const GroupPlacement& placement, int iterations,
                     const ChooseAlgorithm& choose) const;

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void add_partition(const OperatorPartitioner& partitions, int op,
                     const OperatorPartition& partition);

  Model model_;
  Job job_;
  Accelerator accelerator_;
  int servers_ = 1;
  std::vector<std::vector<PartitionedOperator>> partitions_;  // by operator; the first is whole
  std::vector<std::vector<int>> readers_;
};

// "64 of 64 tables owned by 60 servers (at most 2 each); 45 operators replicated, 1 on server 3, …"
std::string to_text(const SearchSpace& space, const OperatorConfigurations& configs);

}  // namespace loom
