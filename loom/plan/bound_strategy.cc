// Lower bound on the iteration time of a uniform strategy, whatever its collectives share links
// with and in whatever order their ranks join (rank_bound.h).
#include <algorithm>
#include <map>
#include <tuple>

#include "loom/plan/strategies.h"

namespace loom::plan {
namespace {

// Lower bounds on the times of the steps of one strategy, cached per stage.
class StepBounds {
 public:
  StepBounds(const parallelize::Strategy& strategy, NetworkProvider& provider)
      : grid_(strategy), provider_(provider) {}

  Duration of(const parallelize::Step& step, int stage) {
    if (!step.communicates) return step.time;
    const auto known =
        bounds_.try_emplace({step.kind, step.span, step.size.count, stage}, Duration(0));
    if (known.second) {
      workload::Collective wanted;
      wanted.kind = step.kind;
      wanted.size = step.size;
      known.first->second = provider_.rank_bound(wanted, groups(step.span, stage));
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
  NetworkProvider& provider_;
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

}  // namespace

Duration bound_strategy(const parallelize::ShardedModel& sharded, NetworkProvider& provider) {
  StepBounds bounds(sharded.strategy, provider);
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

}  // namespace loom::plan
