#include "loom/parallelize/profile_partitioner.h"

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"

namespace loom::parallelize {

ProfilePartitioner::ProfilePartitioner(const model::ProfiledGraph& graph, double samples,
                                       Duration quantum)
    : graph_(graph),
      samples_(samples),
      grains_(std::max<std::int64_t>(1, static_cast<std::int64_t>(samples))),
      quantum_(quantum),
      variables_(graph.operators.size()) {
  for (int v = 0; v < static_cast<int>(graph.variables.size()); ++v) {
    const std::vector<int>& users = graph.variables[static_cast<std::size_t>(v)].users;
    for (const int op : users) variables_[static_cast<std::size_t>(op)].push_back(v);
  }
}

bool ProfilePartitioner::divisible(int op) const {
  if (samples_ != std::floor(samples_)) return false;
  const std::vector<model::ProfiledInput>& inputs =
      graph_.operators[static_cast<std::size_t>(op)].inputs;
  return graph_.output_has_samples(op) ||
         std::any_of(inputs.begin(), inputs.end(), [&](const model::ProfiledInput& it) {
           return it.data && graph_.output_has_samples(it.from);
         });
}

Duration ProfilePartitioner::shard_time(int op, int degree, int shard) const {
  if (degree == 1) return graph_.time(op, samples_);
  return graph_.time(op, static_cast<double>(grains(grains_, degree, shard).length()));
}

// The first shard has the most samples and the last the fewest. Measured times need not grow with
// the batch, so either may be the shortest.
int ProfilePartitioner::finest(int op, int max_degree) const {
  if (!divisible(op)) return 1;
  for (auto degree = static_cast<int>(std::min<std::int64_t>(max_degree, grains_)); degree > 1;
       --degree) {
    const Duration shortest =
        std::min(shard_time(op, degree, 0), shard_time(op, degree, degree - 1));
    if (shortest >= quantum_) return degree;
  }
  return 1;
}

// The box of the complete output. Every sample has the same number of bytes, rounded up; an output
// has at least one byte.
Box ProfilePartitioner::whole(int op) const {
  const std::int64_t bytes = std::max<std::int64_t>(1, graph_.output(op, samples_).count);
  if (!graph_.output_has_samples(op)) return {{0, 1}, {0, 1}, {0, bytes}};
  return {{0, grains_}, {0, 1}, {0, (bytes + grains_ - 1) / grains_}};
}

Box ProfilePartitioner::slice(int op, int degree, int shard) const {
  Box box = whole(op);
  if (graph_.output_has_samples(op)) box.samples = grains(grains_, degree, shard);
  return box;
}

// A control dependency transfers no data; a need for one byte of every sample makes the shard wait.
Boxes ProfilePartitioner::need(const model::ProfiledInput& input, int degree, int shard) const {
  if (input.data) return {slice(input.from, degree, shard)};
  Box signal = whole(input.from);
  signal.features = {0, 1};
  return {signal};
}

PartitionedOperator ProfilePartitioner::partition(int op, int degree) const {
  LOOM_CHECK(degree >= 1 && degree <= grains_, "a shard has at least one sample");
  const model::ProfiledOperator& it = graph_.operators[static_cast<std::size_t>(op)];
  PartitionedOperator made;
  made.name = it.name;
  made.partition = {PartitionDimension::sample, degree};
  made.sums = degree > 1 && !graph_.output_has_samples(op);
  made.shared = degree > 1 && !variables_[static_cast<std::size_t>(op)].empty();
  made.whole = whole(op);
  made.element_bytes = 1;
  std::int64_t gradients = 0;  // of variables first used here
  for (const int v : variables_[static_cast<std::size_t>(op)]) {
    const int first = graph_.variables[static_cast<std::size_t>(v)].users.front();
    if (first == op) {
      gradients += graph_.size(v, samples_).count;
    } else {
      made.beside = std::max(made.beside, first);
    }
  }
  made.needs.resize(it.inputs.size());
  for (const model::ProfiledInput& input : it.inputs) made.inputs.push_back(input.from);
  for (int p = 0; p < degree; ++p) {
    Shard shard;
    shard.forward = shard_time(op, degree, p);
    shard.updated = gradients;
    shard.output = {slice(op, degree, p)};
    made.shards.push_back(std::move(shard));
    for (std::size_t i = 0; i < it.inputs.size(); ++i) {
      made.needs[i].push_back(need(it.inputs[i], degree, p));
    }
  }
  return made;
}

// Size of the gradients of the operator that are not yet summed: once one user of a variable is
// partitioned, the gradient of the variable is summed, whatever the partitions of its other users
// are.
Bytes ProfilePartitioner::not_yet_summed(int op, const std::vector<char>& summed) const {
  Bytes sum;
  for (const int v : variables_[static_cast<std::size_t>(op)]) {
    if (summed[static_cast<std::size_t>(v)] == 0) sum += graph_.size(v, samples_);
  }
  return sum;
}

std::vector<PartitionedOperator> ProfilePartitioner::choose(int devices,
                                                            const LinkEstimate& link) const {
  const PartitionEstimate estimate{.link = link, .backward = false};
  std::vector<PartitionedOperator> chosen;
  std::vector<char> summed(graph_.variables.size(), 0);
  for (int op = 0; op < static_cast<int>(graph_.operators.size()); ++op) {
    PartitionedOperator best = partition(op, 1);
    Duration min_cost = estimate.cost(best, chosen, {});
    for (int degree = finest(op, devices); degree > 1; degree = finest(op, degree / 2)) {
      PartitionedOperator candidate = partition(op, degree);
      const Duration cost = estimate.cost(candidate, chosen, not_yet_summed(op, summed));
      if (cost >= min_cost) continue;
      min_cost = cost;
      best = std::move(candidate);
    }
    for (const int v : variables_[static_cast<std::size_t>(op)]) {
      if (best.partition.degree > 1) summed[static_cast<std::size_t>(v)] = 1;
    }
    chosen.push_back(std::move(best));
  }
  return chosen;
}

}  // namespace loom::parallelize
