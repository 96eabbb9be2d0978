#include "loom/parallelize/choose_partitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace loom::parallelize {
namespace {

constexpr std::array kDimensions = {PartitionDimension::sample, PartitionDimension::parameter,
                                    PartitionDimension::attribute};

std::vector<int> first_devices(std::size_t count) {
  std::vector<int> devices(count);
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

class Chooser {
 public:
  Chooser(const OperatorPartitioner& partitioner, const PartitionRule& rule)
      : partitioner_(partitioner), rule_(rule), estimate_{rule.link} {}

  std::variant<std::vector<OperatorPartition>, Infeasible> run() {
    std::vector<OperatorPartition> chosen;
    for (int op = 0; op < static_cast<int>(operators().size()); ++op) {
      const ManualPartition* fixed = manual(op);
      if (fixed != nullptr) {
        if (const auto no = objection(op, fixed->partition)) return *no;
      }
      PartitionedOperator best =
          fixed != nullptr ? partitioner_.partition(op, fixed->partition) : automatic(op);
      chosen.push_back(best.partition);
      done_.push_back(std::move(best));
    }
    return chosen;
  }

 private:
  const std::vector<model::Operator>& operators() const { return partitioner_.model().operators; }

  const ManualPartition* manual(int op) const {
    const std::string& name = operators()[static_cast<std::size_t>(op)].name;
    const auto found =
        std::find_if(rule_.manual.begin(), rule_.manual.end(),
                     [&](const ManualPartition& it) { return model::name_fits(it.pattern, name); });
    return found == rule_.manual.end() ? nullptr : &*found;
  }

  std::optional<Infeasible> objection(int op, const OperatorPartition& partition) const {
    if (partition.degree > rule_.devices) {
      return Infeasible{fmt::format("{} has degree {}; the group has {} devices",
                                    operators()[static_cast<std::size_t>(op)].name,
                                    partition.degree, rule_.devices)};
    }
    return partitioner_.objection(op, partition);
  }

  // The partition with the highest degree at which the forward pass of the shortest shard, the last
  // one, still takes a quantum.
  OperatorPartition finest(int op, PartitionDimension dimension) const {
    const bool pass = operators()[static_cast<std::size_t>(op)].kind == model::OperatorKind::memory;
    const Duration min_time = pass && rule_.fused_passes ? Duration(0) : rule_.quantum;
    for (int degree = rule_.devices; degree > 1; --degree) {
      const OperatorPartition partition{dimension, degree};
      if (partitioner_.objection(op, partition)) continue;
      if (partitioner_.shard_time(op, partition, degree - 1).forward >= min_time) return partition;
    }
    return {dimension, 1};
  }

  bool spreads(int op) const {
    const bool weights = operators()[static_cast<std::size_t>(op)].parameters > 0;
    return rule_.spread_weights && weights && finest(op, PartitionDimension::parameter).degree > 1;
  }

  PartitionedOperator automatic(int op) const {
    std::optional<PartitionedOperator> best;
    Duration min_time = kForever;
    for (const PartitionDimension dimension : kDimensions) {
      const OperatorPartition partition = finest(op, dimension);
      if (partition.degree == 1 || (dimension != PartitionDimension::parameter && spreads(op)))
        continue;
      PartitionedOperator candidate = partitioner_.partition(op, partition);
      const Bytes gradients{candidate.shards.front().updated * partitioner_.gradient_bytes()};
      const Duration cost = estimate_.cost(candidate, done_, gradients);
      if (cost >= min_time) continue;
      min_time = cost;
      best = std::move(candidate);
    }
    return best ? std::move(*best) : partitioner_.partition(op, {});
  }

  const OperatorPartitioner& partitioner_;
  const PartitionRule& rule_;
  const PartitionEstimate estimate_;
  std::vector<PartitionedOperator> done_;
};

}  // namespace

Duration PartitionEstimate::cost(const PartitionedOperator& it,
                                 const std::vector<PartitionedOperator>& before,
                                 Bytes gradients) const {
  const Shard& longest = it.shards.front();
  Duration cost = longest.forward + longest.backward;
  const std::vector<int> devices = first_devices(it.shards.size());
  const auto add = [&](const std::vector<Transfer>& sent) { cost += estimated_time(sent, link); };
  for (std::size_t i = 0; i < it.inputs.size(); ++i) {
    const PartitionedOperator& input = before[static_cast<std::size_t>(it.inputs[i])];
    Layout from{first_devices(input.shards.size()), {}, input.sums};
    for (const Shard& shard : input.shards) from.boxes.push_back(shard.output);
    const Exchange sent = exchange(from, {devices, it.needs[i]}, input.whole, input.element_bytes);
    add(sent.forward);
    if (backward) add(sent.backward);
  }
  if (it.sums) {
    add({{workload::CollectiveKind::all_reduce,
          devices,
          {it.whole.elements() * it.element_bytes}}});
  }
  if (it.shared) add({{workload::CollectiveKind::all_reduce, devices, gradients}});
  return cost;
}

std::variant<std::vector<OperatorPartition>, Infeasible> choose_partitions(
    const OperatorPartitioner& partitioner, const PartitionRule& rule) {
  return Chooser(partitioner, rule).run();
}

}  // namespace loom::parallelize
