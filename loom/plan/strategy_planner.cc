#include "loom/plan/strategy_planner.h"

#include <fmt/format.h>

#include <utility>

#include "loom/plan/choose_together.h"
#include "loom/plan/topoopt/topology_provider.h"

namespace loom::plan {

Providers providers_of(const PlanRequest& request) {
  const JobSpec& spec = request.spec;
  if (request.circuits != nullptr) {
    return {circuit_provider(*request.circuits, spec.algorithm),
            circuit_provider(*request.circuits, spec.algorithm, LayoutEffort::thorough)};
  }
  const auto fixed = std::make_shared<FixedNetworkProvider>(request.network, spec.algorithm);
  return {fixed, fixed};
}

namespace {

// Searches strategies, or batches and strategies; the latter also sets the batch of the spec.
StrategySearch search(PlanRequest& request, NetworkProvider& provider) {
  JobSpec& spec = request.spec;
  return spec.any_batch ? search_batches(spec, provider, request.search)
                        : search_strategies(spec, provider, request.search);
}

// Chooses the algorithms of the job together. If the fluid engine simulated its strategy, it must
// confirm the choice; the times of the strategy then follow.
void improve_algorithms(const PlanRequest& request, NetworkProvider& provider, ShardedJob& job,
                        RankedStrategy& ranked) {
  ShardedJob other = job;
  if (!choose_together(provider, other)) return;
  RankedStrategy improved = ranked;
  improved.predicted = predicted_time(other.mapped);
  if (ranked.simulated.count() > 0) {
    const auto time = simulated_time(other.mapped, confirmation_of(request));
    if (!time || *time >= ranked.simulated) return;
    improved.simulated = *time;
  }
  ranked = improved;
  job = std::move(other);
}

}  // namespace

const Planner& default_planner() { return kUniformPlanner; }

Confirmation confirmation_of(const PlanRequest& request) {
  return {request.max_messages, request.folding, request.search.threads, request.changes};
}

Infeasible why_infeasible(const JobSpec& spec, const StrategySearch& search, int devices) {
  if (!search.smallest) {
    return {fmt::format("{} on {} devices: {}", spec.model.name, devices,
                        search.objection ? search.objection->why : "")};
  }
  const parallelize::ShardedModel sharded =
      shard(spec.model, spec.job, search.smallest->strategy, spec.accelerator, spec.measured);
  std::size_t worst = 0;
  for (std::size_t s = 0; s < sharded.memory.size(); ++s) {
    if (sharded.memory[s].total() > sharded.memory[worst].total()) worst = s;
  }
  const parallelize::StageMemory& memory = sharded.memory[worst];
  return {fmt::format(
      "{} does not fit: with {} a device of stage {} needs {} (weights {}, gradients {}, optimizer "
      "{}, activations {}); {}{}",
      spec.model.name, to_text(search.smallest->strategy), worst, readable(memory.total()),
      readable(memory.weights), readable(memory.gradients), readable(memory.optimizer),
      readable(memory.activations), memory_text(spec.accelerator),
      search.possible > 1 ? fmt::format("; the {} other strategies need more", search.possible - 1)
                          : "")};
}

PlannedTraining plan_by_strategy_search(PlanRequest request) {
  const Providers providers = providers_of(request);
  StrategySearch found = search(request, *providers.searching);
  return plan_ranked(std::move(request), providers, std::move(found));
}

PlannedTraining plan_ranked(PlanRequest request, const Providers& providers, StrategySearch found) {
  const std::shared_ptr<NetworkProvider>& provider = providers.confirming;
  if (!found.ranking.empty() && request.confirm) {
    confirm_first(request.spec, *provider, confirmation_of(request), found);
  }
  PlannedTraining planned;
  TrainingChoice& choice = planned.choice;
  choice.search = std::move(found);
  choice.waiting = try_waiting(request.spec, *provider, confirmation_of(request), choice.search);
  choice.spec = std::move(request.spec);
  if (choice.search.ranking.empty()) {
    planned.mapped.infeasible = why_infeasible(choice.spec, choice.search, provider->devices());
    return planned;
  }
  choice.strategy = choice.search.ranking.front().strategy;
  ShardedJob sharded = shard_job(choice.spec, choice.strategy, *provider);
  RankedStrategy& first = choice.search.ranking.front();
  first.predicted = sharded.mapped.predicted.value_or(first.predicted);
  improve_algorithms(request, *provider, sharded, first);
  choice.memory = std::move(sharded.memory);
  choice.flops = sharded.flops;
  choice.done_flops = sharded.done_flops;
  planned.mapped = std::move(sharded.mapped);
  const bool changes =
      request.circuits != nullptr && request.circuits->reconfigure == fabric::Reconfigure::phases;
  if (changes) planned.other_algorithms = other_algorithms(choice.spec, choice.strategy, *provider);
  return planned;
}

}  // namespace loom::plan
