#include "loom/run/plan_co_optimized.h"

#include <fmt/format.h>

#include <utility>

#include "loom/fabric/kinds/electrical/switch.h"
#include "loom/plan/topoopt/co_optimize.h"
#include "loom/plan/topoopt/job_topology.h"
#include "loom/plan/topoopt/topology_provider.h"
#include "loom/run/plan_training.h"

namespace loom {
namespace {

// Ways between every two servers are kept.
constexpr int kMaxServers = 1024;

// A network that is there stays; a fabric that finds topologies gets one for what the job sends.
// Other circuits are lit for a job only once it is found, and it is found as for an ideal switch of
// the same bandwidth: a searcher that knows nothing of circuits, as the baselines of NSDI 2023
// have.
ProvideNetwork provider_for(const Prepared& prepared, const JobSpec& spec) {
  if (prepared.circuits && prepared.circuits->fabric.topology) {
    return
        [&prepared](const LoweredJob& job) { return topology_for(prepared.circuits->fabric, job); };
  }
  std::shared_ptr<const Network> network;
  if (prepared.circuits) {
    const CircuitFabric& fabric = prepared.circuits->fabric;
    network =
        std::make_shared<Network>(ideal_switch(fabric.devices(), fabric.egress, fabric.latency));
  } else {
    network = std::make_shared<Network>(prepared.network);
  }
  const auto given = std::make_shared<FixedNetworkProvider>(network, spec.algorithm);
  const ProvidedNetwork provided = {network,
                                    [given](const Collective& wanted, const Groups& groups) {
                                      return given->choose(wanted, groups);
                                    }};
  return [provided](const LoweredJob&) { return ProvidedNetwork(provided); };
}

void refuse_what_does_not_fit(const Scenario& scenario, const Prepared& prepared, int devices) {
  const JobSpec& spec = prepared.job->spec;
  const Settings& settings = scenario.workload;
  if (prepared.circuits && prepared.circuits->fabric.topology &&
      !prepared.circuits->fabric.forwarding) {
    scenario.fabric.settings.refuse("forwarding", "for partition co_optimized true is needed");
  }
  if (spec.any_batch) settings.refuse("batch", "with partition co_optimized a number is needed");
  if (devices > kMaxServers) {
    settings.refuse("partition", fmt::format("it is for at most {} devices, and there are {}",
                                             kMaxServers, devices));
  }
}

// Circuits for a job that is found; where not every pair can have its own, devices forward.
MappedJob mapped_on_circuits(const SearchSpace& space, const GroupPlacement& placement,
                             const JobSpec& spec, const CircuitFabric& fabric) {
  const std::unique_ptr<NetworkProvider> provider = circuit_provider(fabric, spec.algorithm);
  const auto map = [&] {
    return provider->map(space.lowered(placement, spec.iterations,
                                       [&](const Collective& wanted, const Groups& groups) {
                                         return provider->choose(wanted, groups);
                                       }));
  };
  MappedJob job = map();
  if (!job.infeasible.empty() && provider->relax()) job = map();
  return job;
}

}  // namespace

void prepare_co_optimized(const Scenario& scenario, Prepared& prepared,
                          const SearchOptions& given_options) {
  const int devices =
      prepared.circuits ? prepared.circuits->fabric.devices() : prepared.network.devices;
  refuse_what_does_not_fit(scenario, prepared, devices);
  PreparedJob& job = *prepared.job;
  const SearchSpace space({.model = job.spec.model,
                           .job = job.spec.job,
                           .accelerator = job.spec.accelerator,
                           .measured = job.spec.measured,
                           .servers = devices});
  McmcOptions options = job.spec.choice.search;
  options.progress = given_options.progress;
  options.threads = given_options.threads;
  const auto result = co_optimize(space, provider_for(prepared, job.spec), options);
  if (const auto* no = std::get_if<Infeasible>(&result)) {
    prepared.infeasible =
        fmt::format("{} on {} devices: {}", job.spec.model.name, devices, no->why);
    return;
  }
  const auto& found = std::get<CoOptimized>(result);
  const auto placed = space.placed(found.configs);
  const auto& placement = std::get<GroupPlacement>(placed);
  job.search_report = search_report(space, found);
  job.strategy.operators = devices;
  job.memory = placement.memory;
  job.flops = static_cast<double>(job.spec.job.batch) *
              static_cast<double>(job.spec.model.training_flops());
  job.done_flops = job.flops;
  RankedStrategy& ranked = job.search.ranking.emplace_back();
  ranked.strategy = job.strategy;
  ranked.predicted = found.predicted;
  job.search.possible = 1;
  job.search.estimated = 1;
  if (prepared.circuits && !prepared.circuits->fabric.topology) {
    return take_mapped(mapped_on_circuits(space, placement, job.spec, prepared.circuits->fabric),
                       scenario.settings.boolean("folding"), prepared);
  }
  MappedJob mapped;
  mapped.lowered = space.lowered(placement, job.spec.iterations, found.provided.choose);
  if (prepared.circuits) {
    mapped.network = found.provided.network;
    mapped.provisioned = found.provided.provisioned;
  }
  take_mapped(std::move(mapped), false, prepared);
}

}  // namespace loom
