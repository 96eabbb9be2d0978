#include "loom/run/plan_training.h"

#include <fmt/format.h>

#include "loom/plan/topoopt/topology_provider.h"
#include "loom/run/plan_circuits.h"
#include "loom/run/plan_co_optimized.h"
#include "loom/scenario/job_settings.h"
#include "loom/scenario/profiled_job.h"

namespace loom::run {

Infeasible why_infeasible(const plan::JobSpec& spec, const plan::StrategySearch& search,
                          int devices) {
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
      "{}, activations {}); {} has {}{}",
      spec.model.name, to_text(search.smallest->strategy), worst, readable(memory.total()),
      readable(memory.weights), readable(memory.gradients), readable(memory.optimizer),
      readable(memory.activations), spec.accelerator.name, readable(spec.accelerator.memory),
      search.possible > 1 ? fmt::format("; the {} other strategies need more", search.possible - 1)
                          : "")};
}

namespace {

std::unique_ptr<plan::NetworkProvider> provider_of(const Fabric& fabric,
                                                   const plan::JobSpec& spec) {
  if (fabric.circuits() != nullptr)
    return plan::circuit_provider(*fabric.circuits(), spec.algorithm);
  return std::make_unique<plan::FixedNetworkProvider>(
      std::make_shared<fabric::Network>(*fabric.network()), spec.algorithm);
}

plan::JobSpec read_spec(const scenario::TrainingWork& work, const scenario::Scenario& scenario,
                        int devices) {
  plan::JobSpec spec =
      work.model ? scenario::read_job(work.settings, *work.model, *work.accelerator, devices)
                 : read_profiled_job(scenario, devices);
  spec.choice.search.seed = scenario.seed();
  return spec;
}

// A search over batches also sets the batch of the spec.
plan::StrategySearch search(plan::JobSpec& spec, const scenario::Scenario& scenario,
                            plan::NetworkProvider& provider, const plan::SearchOptions& options) {
  plan::StrategySearch found = spec.any_batch ? search_batches(spec, provider, options)
                                              : search_strategies(spec, provider, options);
  if (!found.ranking.empty() && scenario.engine() != scenario::Engine::analytic) {
    confirm_first(spec, provider, kMaxFluidMessages, found, scenario.settings.boolean("folding"),
                  options.threads, [&](const fabric::Network& network) {
                    return changes_on(network, scenario.changes);
                  });
  }
  return found;
}

}  // namespace

PlannedOrNot planned_training(TrainingPlan training, plan::MappedJob mapped, const Fabric& fabric,
                              bool folding) {
  if (mapped.infeasible) {
    return Unplanned{std::move(*mapped.infeasible), std::move(training)};
  }
  PlannedWork planned;
  if (fabric.circuits() == nullptr) {
    planned.network = *fabric.network();
  } else if (fabric.circuits()->reconfigure == fabric::Reconfigure::phases) {
    plan::PhasedPlan phased = plan::plan_phases(*fabric.circuits(), mapped.lowered, folding);
    planned.network = std::move(phased.network);
    planned.circuits = PlannedCircuits{*fabric.circuits(), std::move(phased.provisioned),
                                       std::move(phased.phases)};
  } else if (fabric.circuits()->reconfigure == fabric::Reconfigure::periodic) {
    auto periodic = plan_periodic(*fabric.circuits(), mapped.lowered.workload, true);
    if (auto* no = std::get_if<Infeasible>(&periodic)) return Unplanned{*no, std::move(training)};
    auto& found = std::get<PeriodicCircuits>(periodic);
    planned.network = std::move(found.network);
    planned.circuits = std::move(found.circuits);
  } else {
    planned.network = *mapped.network;
    planned.circuits = PlannedCircuits{*fabric.circuits(), std::move(*mapped.provisioned), {}};
  }
  planned.workload = std::move(mapped.lowered.workload);
  training.lowered = std::move(mapped.lowered);
  planned.work = std::move(training);
  return planned;
}

PlannedOrNot plan_training(const scenario::TrainingWork& work, const scenario::Scenario& scenario,
                           const Fabric& fabric, const plan::SearchOptions& options) {
  TrainingPlan training;
  training.spec = read_spec(work, scenario, fabric.devices());
  if (training.spec.choice.partition == plan::Partition::co_optimized) {
    return plan_co_optimized(std::move(training), scenario, fabric, options);
  }
  const std::unique_ptr<plan::NetworkProvider> provider = provider_of(fabric, training.spec);
  training.search = search(training.spec, scenario, *provider, options);
  if (training.search.ranking.empty()) {
    Infeasible no = why_infeasible(training.spec, training.search, fabric.devices());
    return Unplanned{std::move(no), std::move(training)};
  }
  training.strategy = training.search.ranking.front().strategy;
  plan::ShardedJob sharded = shard_job(training.spec, training.strategy, *provider);
  training.memory = std::move(sharded.memory);
  training.flops = sharded.flops;
  training.done_flops = sharded.done_flops;
  return planned_training(std::move(training), std::move(sharded.mapped), fabric,
                          scenario.settings.boolean("folding"));
}

}  // namespace loom::run
