#include "loom/plan/bound_strategy.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "loom/plan/circuits/provision_workload.h"
#include "loom/plan/rank_bound.h"

namespace loom::plan {
namespace {

// Lower bound on the mean time of a rank in a collective of these groups.
using RankBound =
    std::function<Duration(const workload::Collective& wanted, const workload::Groups& groups)>;

// Lower bounds on the times of the steps of one strategy, cached per stage.
class StepBounds {
 public:
  StepBounds(const parallelize::Strategy& strategy, const RankBound& rank_bound)
      : grid_(strategy), rank_bound_(rank_bound) {}

  Duration of(const parallelize::Step& step, int stage) {
    if (!step.communicates) return step.time;
    const auto known =
        bounds_.try_emplace({step.kind, step.span, step.size.count, stage}, Duration(0));
    if (known.second) {
      workload::Collective wanted;
      wanted.kind = step.kind;
      wanted.size = step.size;
      known.first->second = rank_bound_(wanted, groups(step.span, stage));
    }
    return known.first->second;
  }

 private:
  const workload::Groups& groups(parallelize::Span span, int stage) {
    const auto known = groups_.find({span, stage});
    if (known != groups_.end()) return known->second;
    return groups_.emplace(std::pair(span, stage), grid_.groups(span, stage)).first->second;
  }

  const place::Grid grid_;
  const RankBound& rank_bound_;
  std::map<std::pair<parallelize::Span, int>, workload::Groups> groups_;
  std::map<std::tuple<workload::CollectiveKind, parallelize::Span, std::int64_t, int>, Duration>
      bounds_;
};

// Time of the dependency chain that ends with the task's last step, if nothing delays it.
Duration chain_time(const parallelize::Task& task, int stage, StepBounds& bounds) {
  Duration sum{0};
  for (int s = task.last; s >= 0;) {
    const parallelize::Step& step = task.steps[static_cast<std::size_t>(s)];
    sum = add(sum, bounds.of(step, stage));
    s = step.after.empty() ? -1 : step.after.front();
  }
  return sum;
}

Duration bound_of(const parallelize::ShardedModel& sharded, const RankBound& rank_bound) {
  StepBounds bounds(sharded.strategy, rank_bound);
  std::vector<Duration> of_stage(static_cast<std::size_t>(sharded.strategy.pipeline), Duration(0));
  std::vector<Duration> of_chunk;
  for (const parallelize::Chunk& chunk : sharded.chunks) {
    of_chunk.push_back(add(chain_time(chunk.forward, chunk.stage, bounds),
                           chain_time(chunk.backward, chunk.stage, bounds)));
    Duration& sum = of_stage[static_cast<std::size_t>(chunk.stage)];
    sum = add(sum, of_chunk.back());
  }
  Duration bound{0};
  Duration before{0};  // time of one micro-batch in the preceding chunks, forward and backward
  for (std::size_t stage = 0; stage < of_stage.size(); ++stage) {
    // A stage starts the next iteration after its own update, stage 0 also after the gradients of
    // the last micro-batch have returned from the other stages.
    const Duration busy = times(sharded.micro_batches, of_stage[stage]);
    bound = std::max({bound, add(busy, sharded.optimizer_time[stage]),
                      add(add(before, busy), sharded.optimizer_time.front())});
    before = add(before, of_chunk[stage]);
  }
  return bound;
}

}  // namespace

Duration bound_strategy(const parallelize::ShardedModel& sharded, NetworkProvider& provider) {
  return bound_of(sharded, [&](const workload::Collective& wanted, const workload::Groups& groups) {
    return provider.rank_bound(wanted, groups);
  });
}

// Collectives that the circuits have rings for count nothing: their rings are not known here.
Duration bound_on_circuits(const parallelize::ShardedModel& sharded,
                           const place::ChooseAlgorithm& rule, const CircuitLayout& layout) {
  return bound_of(sharded, [&](const workload::Collective& wanted, const workload::Groups& groups) {
    const workload::Collective chosen = rule(wanted, groups);
    if (!layout.rings.empty() && is_mutable(chosen, groups.size)) return Duration(0);
    return mean_rank_bound(chosen, groups, *layout.network);
  });
}

}  // namespace loom::plan
