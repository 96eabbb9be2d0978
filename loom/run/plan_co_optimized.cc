#include "loom/run/plan_co_optimized.h"

#include <fmt/format.h>

#include <utility>

#include "loom/fabric/kinds/electrical/switch.h"
#include "loom/plan/topoopt/co_optimize.h"
#include "loom/plan/topoopt/job_topology.h"
#include "loom/plan/topoopt/topology_provider.h"
#include "loom/run/plan_training.h"

namespace loom::run {
namespace {

// Limits memory: the paths between all pairs of servers are kept.
constexpr int kMaxServers = 1024;

// Provides the network on which a candidate is evaluated. A topology fabric is provisioned for each
// candidate. For other circuits the search assumes an ideal switch of the same bandwidth, like the
// baselines of TopoOpt (NSDI 2023); they are provisioned once the search is done.
plan::ProvideNetwork provider_for(const Fabric& fabric, const plan::JobSpec& spec) {
  const fabric::CircuitFabric* circuits = fabric.circuits();
  if (circuits != nullptr && circuits->topology) {
    return [circuits](const place::LoweredJob& job) { return plan::topology_for(*circuits, job); };
  }
  std::shared_ptr<const fabric::Network> network;
  if (circuits != nullptr) {
    network = std::make_shared<fabric::Network>(
        fabric::ideal_switch(circuits->devices(), circuits->egress, circuits->latency));
  } else {
    network = std::make_shared<fabric::Network>(*fabric.network());
  }
  const auto given = std::make_shared<plan::FixedNetworkProvider>(network, spec.algorithm);
  const plan::ProvidedNetwork provided = {
      network, [given](const workload::Collective& wanted, const workload::Groups& groups) {
        return given->choose(wanted, groups);
      }};
  return [provided](const place::LoweredJob&) { return plan::ProvidedNetwork(provided); };
}

void refuse_what_does_not_fit(const scenario::Scenario& scenario, const plan::JobSpec& spec,
                              const Fabric& fabric) {
  const Settings& settings = scenario.workload();
  const fabric::CircuitFabric* circuits = fabric.circuits();
  if (circuits != nullptr && circuits->topology && !circuits->forwarding) {
    scenario.fabric.settings.refuse("forwarding", "true is needed for partition co_optimized");
  }
  if (spec.any_batch) settings.refuse("batch", "a number is needed for partition co_optimized");
  if (fabric.devices() > kMaxServers) {
    settings.refuse("partition", fmt::format("at most {} devices are possible, and there are {}",
                                             kMaxServers, fabric.devices()));
  }
}

// Provisions circuits for the job found. Devices forward if some pair cannot have a circuit.
plan::MappedJob mapped_on_circuits(const plan::SearchSpace& space,
                                   const place::GroupPlacement& placement,
                                   const plan::JobSpec& spec, const fabric::CircuitFabric& fabric) {
  const std::unique_ptr<plan::NetworkProvider> provider =
      plan::circuit_provider(fabric, spec.algorithm);
  const auto map = [&] {
    return provider->map(
        space.lowered(placement, spec.iterations,
                      [&](const workload::Collective& wanted, const workload::Groups& groups) {
                        return provider->choose(wanted, groups);
                      }));
  };
  plan::MappedJob job = map();
  if (job.infeasible && provider->relax()) job = map();
  return job;
}

void record(const plan::SearchSpace& space, const plan::CoOptimized& found,
            const place::GroupPlacement& placement, TrainingPlan& training) {
  training.search_report = search_report(space, found);
  training.strategy.operators = space.servers();
  training.memory = placement.memory;
  training.flops = static_cast<double>(training.spec.job.batch) *
                   static_cast<double>(training.spec.model.training_flops());
  training.done_flops = training.flops;
  plan::RankedStrategy& ranked = training.search.ranking.emplace_back();
  ranked.strategy = training.strategy;
  ranked.predicted = found.predicted;
  training.search.possible = 1;
  training.search.estimated = 1;
}

plan::MappedJob mapped_job(const plan::SearchSpace& space, const plan::CoOptimized& found,
                           const place::GroupPlacement& placement, const plan::JobSpec& spec,
                           const Fabric& fabric) {
  const fabric::CircuitFabric* circuits = fabric.circuits();
  if (circuits != nullptr && !circuits->topology) {
    return mapped_on_circuits(space, placement, spec, *circuits);
  }
  plan::MappedJob mapped;
  mapped.lowered = space.lowered(placement, spec.iterations, found.provided.choose);
  mapped.network = found.provided.network;
  mapped.provisioned = found.provided.provisioned;
  return mapped;
}

}  // namespace

PlannedOrNot plan_co_optimized(TrainingPlan training, const scenario::Scenario& scenario,
                               const Fabric& fabric, const plan::SearchOptions& search) {
  const plan::JobSpec& spec = training.spec;
  refuse_what_does_not_fit(scenario, spec, fabric);
  const plan::SearchSpace space({.model = spec.model,
                                 .job = spec.job,
                                 .accelerator = spec.accelerator,
                                 .measured = spec.measured,
                                 .servers = fabric.devices()});
  plan::McmcOptions options = spec.choice.search;
  options.progress = search.progress;
  options.threads = search.threads;
  const auto result = co_optimize(space, provider_for(fabric, spec), options);
  if (const auto* no = std::get_if<Infeasible>(&result)) {
    std::string why =
        fmt::format("{} on {} devices: {}", spec.model.name, fabric.devices(), no->why);
    return Unplanned{{std::move(why)}, std::move(training)};
  }
  const auto& found = std::get<plan::CoOptimized>(result);
  const auto placed = space.placed(found.configs);
  const auto& placement = std::get<place::GroupPlacement>(placed);
  plan::MappedJob mapped = mapped_job(space, found, placement, spec, fabric);
  record(space, found, placement, training);
  return planned_training(std::move(training), std::move(mapped), fabric,
                          scenario.settings.boolean("folding"));
}

}  // namespace loom::run
