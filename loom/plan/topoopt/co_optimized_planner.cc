#include "loom/plan/topoopt/co_optimized_planner.h"

#include <fmt/format.h>

#include <utility>

#include "loom/fabric/kinds/electrical/switch.h"
#include "loom/plan/topoopt/co_optimize.h"
#include "loom/plan/topoopt/job_topology.h"
#include "loom/plan/topoopt/topology_provider.h"

namespace loom::plan {
namespace {

// Max number of servers; limits memory, because the paths between all pairs are stored.
constexpr int kMaxServers = 1024;

// Provides the network on which a candidate is evaluated. If the fabric finds topologies, circuits
// are provisioned for each candidate. For other circuits the search assumes an ideal switch of the
// same bandwidth, like the baselines of TopoOpt (NSDI 2023); they are provisioned after the search.
ProvideNetwork provider_for(const PlanRequest& request) {
  const fabric::CircuitFabric* circuits = request.circuits;
  if (circuits != nullptr && circuits->topology) {
    return [circuits](const place::LoweredJob& job) { return topology_for(*circuits, job); };
  }
  std::shared_ptr<const fabric::Network> network = request.network;
  if (circuits != nullptr) {
    network = std::make_shared<fabric::Network>(
        fabric::ideal_switch(circuits->devices(), circuits->egress, circuits->latency));
  }
  const auto given = std::make_shared<FixedNetworkProvider>(network, request.spec.algorithm);
  ProvidedNetwork provided = {
      network, [given](const workload::Collective& wanted, const workload::Groups& groups) {
        return given->choose(wanted, groups);
      }};
  provided.times = std::shared_ptr<simulate::IsolatedTimes>(given, &given->times());
  return [provided](const place::LoweredJob&) { return ProvidedNetwork(provided); };
}

// Provisions circuits for the job found. Devices forward if some pair cannot have a circuit.
MappedJob mapped_on_circuits(const SearchSpace& space, const place::GroupPlacement& placement,
                             const JobSpec& spec, const fabric::CircuitFabric& fabric) {
  const std::unique_ptr<NetworkProvider> provider = circuit_provider(fabric, spec.algorithm);
  return provider->map(
      space.lowered(placement, spec.iterations,
                    [&](const workload::Collective& wanted, const workload::Groups& groups) {
                      return provider->choose(wanted, groups);
                    }));
}

void record(const SearchSpace& space, const CoOptimized& found,
            const place::GroupPlacement& placement, TrainingChoice& choice) {
  choice.search_report = search_report(space, found);
  choice.strategy.operators = space.servers();
  choice.memory = placement.memory;
  choice.flops = static_cast<double>(choice.spec.job.batch) *
                 static_cast<double>(choice.spec.model.training_flops());
  choice.done_flops = choice.flops;
  RankedStrategy& ranked = choice.search.ranking.emplace_back();
  ranked.strategy = choice.strategy;
  ranked.predicted = found.predicted;
  choice.search.possible = 1;
  choice.search.estimated = 1;
}

MappedJob mapped_job(const SearchSpace& space, const CoOptimized& found,
                     const place::GroupPlacement& placement, const PlanRequest& request) {
  const JobSpec& spec = request.spec;
  if (request.circuits != nullptr && !request.circuits->topology) {
    return mapped_on_circuits(space, placement, spec, *request.circuits);
  }
  MappedJob mapped;
  mapped.lowered = space.lowered(placement, spec.iterations, found.provided.choose);
  mapped.network = found.provided.network;
  mapped.provisioned = found.provided.provisioned;
  return mapped;
}

}  // namespace

std::optional<Objection> co_optimized_objection(const PlanRequest& request) {
  const fabric::CircuitFabric* circuits = request.circuits;
  if (circuits != nullptr && circuits->topology && !circuits->forwarding) {
    return Objection{"fabric.forwarding", "true is needed for partition co_optimized"};
  }
  if (request.spec.any_batch) {
    return Objection{"workload.batch", "a number is needed for partition co_optimized"};
  }
  if (request.devices() <= kMaxServers) return std::nullopt;
  return Objection{"workload.partition",
                   fmt::format("at most {} devices are possible, and there are {}", kMaxServers,
                               request.devices())};
}

PlannedTraining plan_co_optimized(PlanRequest request) {
  // Topologies are found in each round of the search, by the published rule.
  fabric::CircuitFabric finding;
  if (request.circuits != nullptr && request.circuits->finder) {
    finding = *request.circuits;
    finding.topology = finding.finder;
    request.circuits = &finding;
  }
  const JobSpec& spec = request.spec;
  const SearchSpace space({.model = spec.model,
                           .job = spec.job,
                           .accelerator = spec.accelerator,
                           .measured = spec.measured,
                           .servers = request.devices()});
  McmcOptions options = spec.choice.search;
  options.progress = request.search.progress;
  options.threads = request.search.threads;
  const auto result = co_optimize(space, provider_for(request), options);
  PlannedTraining planned;
  if (const auto* no = std::get_if<Infeasible>(&result)) {
    planned.mapped.infeasible = Infeasible{
        fmt::format("{} on {} devices: {}", spec.model.name, request.devices(), no->why)};
    planned.choice.spec = std::move(request.spec);
    return planned;
  }
  const auto& found = std::get<CoOptimized>(result);
  const auto placed = space.placed(found.configs);
  const auto& placement = std::get<place::GroupPlacement>(placed);
  planned.mapped = mapped_job(space, found, placement, request);
  planned.choice.spec = std::move(request.spec);
  record(space, found, placement, planned.choice);
  return planned;
}

}  // namespace loom::plan
