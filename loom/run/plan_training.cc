#include "loom/run/plan_training.h"

#include <fmt/format.h>

#include "loom/plan/topoopt/topology_provider.h"
#include "loom/run/plan_co_optimized.h"
#include "loom/scenario/job_settings.h"
#include "loom/scenario/profiled_job.h"

namespace loom {

std::string why_infeasible(const JobSpec& spec, const StrategySearch& search, int devices) {
  if (!search.smallest) {
    return fmt::format("{} on {} devices: {}", spec.model.name, devices, search.objection);
  }
  const ShardedModel sharded =
      shard(spec.model, spec.job, search.smallest->strategy, spec.accelerator, spec.measured);
  std::size_t worst = 0;
  for (std::size_t s = 0; s < sharded.memory.size(); ++s) {
    if (sharded.memory[s].total() > sharded.memory[worst].total()) worst = s;
  }
  const StageMemory& memory = sharded.memory[worst];
  return fmt::format(
      "{} does not fit: by {} a device of stage {} needs {} (weights {}, gradients {}, optimizer "
      "{}, activations {}); {} has {}{}",
      spec.model.name, to_text(search.smallest->strategy), worst, readable(memory.total()),
      readable(memory.weights), readable(memory.gradients), readable(memory.optimizer),
      readable(memory.activations), spec.accelerator.name, readable(spec.accelerator.memory),
      search.possible > 1 ? fmt::format("; the {} other ways need more", search.possible - 1) : "");
}

namespace {

std::unique_ptr<NetworkProvider> provider_of(const Prepared& prepared, const JobSpec& spec) {
  if (prepared.circuits) {
    return circuit_provider(prepared.circuits->fabric, spec.algorithm);
  }
  return std::make_unique<FixedNetworkProvider>(std::make_shared<Network>(prepared.network),
                                                spec.algorithm);
}

}  // namespace

void take_mapped(MappedJob mapped, bool folding, Prepared& prepared) {
  if (!mapped.infeasible.empty()) {
    prepared.infeasible = std::move(mapped.infeasible);
    return;
  }
  if (mapped.provisioned) {
    prepared.circuits->provisioned = std::move(*mapped.provisioned);
    prepared.network = *mapped.network;
  }
  if (prepared.circuits && prepared.circuits->fabric.reconfigure == Reconfigure::phases) {
    PhasedPlan plan = plan_phases(prepared.circuits->fabric, mapped.lowered, folding);
    prepared.circuits->phases = std::move(plan.phases);
    prepared.circuits->provisioned = std::move(plan.provisioned);
    prepared.network = std::move(plan.network);
  }
  prepared.job->lowered = std::move(mapped.lowered);
  prepared.workload = std::move(prepared.job->lowered.workload);
}

void prepare_job(const Scenario& scenario, Prepared& prepared, const SearchOptions& options) {
  const int devices =
      prepared.circuits ? prepared.circuits->fabric.devices() : prepared.network.devices;
  const bool folding = scenario.settings.boolean("folding");
  PreparedJob& job = prepared.job.emplace();
  job.spec = scenario.model
                 ? read_job(scenario.workload, *scenario.model, *scenario.accelerator, devices)
                 : read_profiled_job(scenario, devices);
  job.spec.choice.search.seed = scenario.seed();
  if (job.spec.choice.partition == Partition::co_optimized) {
    return prepare_co_optimized(scenario, prepared, options);
  }
  const std::unique_ptr<NetworkProvider> provider = provider_of(prepared, job.spec);
  job.search = job.spec.any_batch ? search_batches(job.spec, *provider, options)
                                  : search_strategies(job.spec, *provider, options);
  if (job.search.ranking.empty()) {
    prepared.infeasible = why_infeasible(job.spec, job.search, devices);
    return;
  }
  if (scenario.engine() != Engine::analytic) {
    confirm_first(job.spec, *provider, kMaxFluidMessages, job.search, folding, options.threads,
                  [&](const Network& network) { return changes_on(network, scenario.changes); });
  }
  job.strategy = job.search.ranking.front().strategy;
  ShardedJob sharded = shard_job(job.spec, job.strategy, *provider);
  job.memory = std::move(sharded.memory);
  job.flops = sharded.flops;
  job.done_flops = sharded.done_flops;
  take_mapped(std::move(sharded.mapped), folding, prepared);
}

}  // namespace loom
