#include "loom/place/lower_shards.h"

#include <algorithm>
#include <map>

#include "loom/parallelize/footprint.h"
#include "loom/place/at.h"
#include "loom/place/shard_gradients.h"
#include "loom/place/shard_steps.h"

namespace loom::place {
namespace {

std::vector<int> blocks_of(const model::Model& model) {
  std::vector<int> blocks;
  for (const model::Operator& it : model.operators) blocks.push_back(it.block);
  return blocks;
}

class ShardLowerer {
 public:
  ShardLowerer(const ShardLowering& input, const ChooseAlgorithm& choose)
      : in_(input),
        place_(input.placement),
        builder_(input.devices * input.replicas, input.iterations, choose),
        operations_(builder_, input.devices, input.replicas),
        gradients_(operations_, input.job, input.devices),
        steps_(operations_, place_, blocks_of(input.model), input.devices,
               input.messages_together) {}

  LoweredJob run() {
    for (int iteration = 0; iteration < in_.iterations; ++iteration) {
      builder_.set_iteration(iteration);
      steps_.begin_iteration();
      for (int op = 0; op < count(); ++op) steps_.forward(op);
      for (int op = count() - 1; op >= 0; --op) {
        steps_.backward(op);
        add_gradients(op);
      }
      gradients_.flush(steps_.computed());
      update();
      gradients_.next_iteration();
    }
    return builder_.finish();
  }

 private:
  int count() const { return static_cast<int>(place_.operators.size()); }

  void add_gradients(int op) {
    const parallelize::PartitionedOperator& partitioned = at(place_.operators, op);
    const auto size = [&](const parallelize::Shard& shard) {
      return Bytes{shard.updated * in_.job.gradient_bytes};
    };
    std::vector<int> devices = at(place_.devices, op);
    if (partitioned.shared) {
      std::sort(devices.begin(), devices.end());
      gradients_.add(devices, size(partitioned.shards.front()), steps_.computed_on(devices));
      return;
    }
    for (std::size_t p = 0; p < devices.size(); ++p) {
      gradients_.add({devices[p]}, size(partitioned.shards[p]), steps_.computed_on({devices[p]}));
    }
  }

  void update() {
    std::vector<double> parameters(static_cast<std::size_t>(in_.devices), 0);
    for (int op = 0; op < count(); ++op) {
      const std::vector<parallelize::Shard>& shards = at(place_.operators, op).shards;
      for (std::size_t p = 0; p < shards.size(); ++p) {
        at(parameters, at(place_.devices, op)[p]) += static_cast<double>(shards[p].updated);
      }
    }
    std::map<std::pair<double, Operations>, std::vector<int>> equivalent;
    for (int d = 0; d < in_.devices; ++d) {
      if (at(parameters, d) == 0) continue;
      Operations after = steps_.computed_on({d});
      merge(after, gradients_.last(d));
      equivalent[{at(parameters, d), after}].push_back(d);
    }
    for (const auto& it : equivalent) {
      const Duration time = update_time(in_.job, in_.accelerator, it.first.first);
      const std::uint32_t done =
          operations_.compute(it.second, time, it.first.second, {.purpose = Purpose::optimizer});
      steps_.follow(it.second, done);
    }
  }

  const ShardLowering& in_;
  const GroupPlacement& place_;
  JobBuilder builder_;
  GroupOperations operations_;
  ShardGradients gradients_;
  ShardSteps steps_;
};

}  // namespace

LoweredJob lower_shards(const ShardLowering& input, const ChooseAlgorithm& choose) {
  return ShardLowerer(input, choose).run();
}

}  // namespace loom::place
