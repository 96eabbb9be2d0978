#include "loom/plan/topoopt/search_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "loom/model/families/split_tables.h"
#include "loom/place/lower_shards.h"

namespace loom::plan {
namespace {

// Sets the number of updated parameters of an embedding table: only rows that the batch reads.
// Servers with copies of the table read different rows and sum the gradients of all rows read by
// any of them; an owner updates the same number of rows.
void count_rows(const model::Operator& op, std::int64_t samples,
                parallelize::PartitionedOperator& partitioned) {
  if (op.tables == 0) return;
  for (parallelize::Shard& it : partitioned.shards)
    it.updated = std::min(it.parameters, touched_parameters(op, samples));
}

bool same_samples(const parallelize::PartitionedOperator& a,
                  const parallelize::PartitionedOperator& b) {
  return a.partition == b.partition &&
         a.partition.dimension == parallelize::PartitionDimension::sample && a.partition.degree > 1;
}

}  // namespace

SearchSpace::SearchSpace(const Input& input)
    : model_(split_tables(input.model)),
      job_(input.job),
      accelerator_(input.accelerator),
      servers_(input.servers),
      partitions_(model_.operators.size()),
      readers_(model_.operators.size()) {
  const parallelize::OperatorPartitioner partitioner({.model = model_,
                                                      .job = job_,
                                                      .accelerator = accelerator_,
                                                      .measured = input.measured,
                                                      .samples = job_.batch});
  for (int op = 0; op < operators(); ++op) {
    add_partition(partitioner, op, {parallelize::PartitionDimension::sample, 1});
    for (const parallelize::PartitionDimension dimension :
         {parallelize::PartitionDimension::sample, parallelize::PartitionDimension::parameter,
          parallelize::PartitionDimension::attribute}) {
      for (int k = 2; k <= servers_; ++k) {
        if (servers_ % k == 0) add_partition(partitioner, op, {dimension, k});
      }
    }
    for (const int input_op : model_.operators[index(op)].inputs) {
      std::vector<int>& known = readers_[index(input_op)];
      if (known.empty() || known.back() != op) known.push_back(op);
    }
  }
}

void SearchSpace::add_partition(const parallelize::OperatorPartitioner& partitioner, int op,
                                const parallelize::OperatorPartition& partition) {
  if (partitioner.objection(op, partition)) return;
  parallelize::PartitionedOperator made = partitioner.partition(op, partition);
  count_rows(model_.operators[index(op)], job_.batch, made);
  partitions_[index(op)].push_back(std::move(made));
}

int SearchSpace::places(int op, int partition) const {
  return servers_ / partitions_[index(op)][index(partition)].partition.degree;
}

int SearchSpace::server(int op, const OperatorConfiguration& config, int shard) const {
  return config.first + shard * places(op, config.partition);
}

std::vector<int> SearchSpace::servers_of(int op, const OperatorConfiguration& config) const {
  std::vector<int> servers;
  for (int p = 0; p < partition(op, config).partition.degree; ++p)
    servers.push_back(server(op, config, p));
  return servers;
}

Bytes SearchSpace::shard_memory(int op, const OperatorConfiguration& config, int shard) const {
  return loom::place::shard_memory(partition(op, config).shards[index(shard)], job_).total();
}

OperatorConfiguration SearchSpace::replicated(int op) const {
  OperatorConfiguration config;
  for (int c = 0; c < partitions(op); ++c) {
    const parallelize::OperatorPartition& it = partitions_[index(op)][index(c)].partition;
    if (it.dimension == parallelize::PartitionDimension::sample)
      config.partition = c;  // in ascending order, so the last has the highest degree
  }
  return config;
}

std::optional<int> SearchSpace::find_partition(int op,
                                               const parallelize::OperatorPartition& wanted) const {
  for (int c = 0; c < partitions(op); ++c) {
    if (partitions_[index(op)][index(c)].partition == wanted) return c;
  }
  return std::nullopt;
}

parallelize::Exchange SearchSpace::exchange(int to, std::size_t input,
                                            const OperatorConfigurations& configs) const {
  const OperatorConfiguration& reader = configs[index(to)];
  const parallelize::PartitionedOperator& here = partition(to, reader);
  const int from = here.inputs[input];
  const OperatorConfiguration& maker = configs[index(from)];
  const parallelize::PartitionedOperator& there = partition(from, maker);
  if (same_samples(there, here) && maker.first == reader.first) return {};
  parallelize::Layout made{servers_of(from, maker), {}, there.sums};
  for (const parallelize::Shard& it : there.shards) made.boxes.push_back(it.output);
  return parallelize::exchange(made, {servers_of(to, reader), here.needs[input]}, there.whole,
                               there.element_bytes);
}

std::optional<std::vector<SearchSpace::Message>> SearchSpace::sample_messages(
    int to, std::size_t input, const OperatorConfigurations& configs) const {
  const OperatorConfiguration& reader = configs[index(to)];
  const parallelize::PartitionedOperator& here = partition(to, reader);
  const int from = here.inputs[input];
  const OperatorConfiguration& maker = configs[index(from)];
  const parallelize::PartitionedOperator& there = partition(from, maker);
  const auto by_samples = [](const parallelize::OperatorPartition& it) {
    return it.degree == 1 || it.dimension == parallelize::PartitionDimension::sample;
  };
  if (!by_samples(there.partition) || !by_samples(here.partition)) return std::nullopt;
  std::vector<Message> messages;
  const std::int64_t samples = job_.batch;
  const std::int64_t sample_bytes = there.whole.elements() / samples * there.element_bytes;
  for (int a = 0, b = 0; a < there.partition.degree && b < here.partition.degree;) {
    const parallelize::Interval made = parallelize::grains(samples, there.partition.degree, a);
    const parallelize::Interval needed = parallelize::grains(samples, here.partition.degree, b);
    const std::int64_t both = overlap(made, needed).length();
    const int source = server(from, maker, a);
    const int destination = server(to, reader, b);
    if (both > 0 && source != destination) {
      messages.push_back({source, destination, both * sample_bytes});
    }
    if (made.end <= needed.end) ++a;
    if (needed.end <= made.end) ++b;
  }
  return messages;
}

std::optional<Infeasible> SearchSpace::memory_objection(
    const OperatorConfigurations& configs) const {
  std::vector<Bytes> held(index(servers_));
  for (int op = 0; op < operators(); ++op) {
    const OperatorConfiguration& config = configs[index(op)];
    for (int p = 0; p < partition(op, config).partition.degree; ++p) {
      held[index(server(op, config, p))] += shard_memory(op, config, p);
    }
  }
  const auto max = std::max_element(held.begin(), held.end());
  if (*max <= accelerator_.usable_memory()) return std::nullopt;
  return Infeasible{fmt::format("server {} would hold {}; {}", max - held.begin(), readable(*max),
                                memory_text(accelerator_))};
}

std::variant<place::GroupPlacement, Infeasible> SearchSpace::placed(
    const OperatorConfigurations& configs) const {
  if (auto no = memory_objection(configs)) return std::move(*no);
  std::vector<parallelize::PartitionedOperator> partitioned;
  std::vector<std::vector<int>> devices;
  for (int op = 0; op < operators(); ++op) {
    partitioned.push_back(partition(op, configs[index(op)]));
    devices.push_back(servers_of(op, configs[index(op)]));
  }
  place::ListRule rule;
  rule.devices = servers_;
  std::optional<place::GroupPlacement> it = schedule_as(partitioned, devices, job_, rule);
  if (!it) return Infeasible{"no schedule keeps the limits"};
  return std::move(*it);
}

place::LoweredJob SearchSpace::lowered(const place::GroupPlacement& placement, int iterations,
                                       const place::ChooseAlgorithm& choose) const {
  return place::lower_shards({.placement = placement,
                              .model = model_,
                              .job = job_,
                              .accelerator = accelerator_,
                              .devices = servers_,
                              .replicas = 1,
                              .iterations = iterations,
                              .messages_together = true},
                             choose);
}

std::string to_text(const SearchSpace& space, const OperatorConfigurations& configs) {
  std::map<std::string, int> kinds;
  std::map<int, int> tables_of;  // server
  int tables = 0;
  int owned = 0;
  for (int op = 0; op < space.operators(); ++op) {
    const OperatorConfiguration& config = configs[static_cast<std::size_t>(op)];
    const parallelize::OperatorPartition& partition = space.partition(op, config).partition;
    const bool table = space.model().operators[static_cast<std::size_t>(op)].tables > 0;
    if (table) ++tables;
    if (table && partition.degree == 1) {
      ++owned;
      ++tables_of[config.first];
      continue;
    }
    const std::string what = table ? "tables" : "operators";
    if (partition.degree == 1) {
      ++kinds[what + " on one server each"];
    } else if (partition.dimension == parallelize::PartitionDimension::sample &&
               partition.degree == space.servers()) {
      ++kinds[what + " replicated"];
    } else {
      ++kinds[fmt::format(
          "{} by {} over {}", what,
          parallelize::kPartitionDimensionNames[static_cast<std::size_t>(partition.dimension)],
          partition.degree)];
    }
  }
  std::vector<std::string> clauses;
  if (tables > 0) {
    int max = 0;
    for (const auto& it : tables_of) max = std::max(max, it.second);
    clauses.push_back(fmt::format("{} of {} tables owned by {} server{} (at most {} each)", owned,
                                  tables, tables_of.size(), tables_of.size() == 1 ? "" : "s", max));
  }
  for (const auto& it : kinds) clauses.push_back(fmt::format("{} {}", it.second, it.first));
  return fmt::format("{}", fmt::join(clauses, ", "));
}

}  // namespace loom::plan
