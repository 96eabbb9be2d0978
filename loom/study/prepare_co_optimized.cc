#include "loom/study/prepare_co_optimized.h"

#include <fmt/format.h>

#include <utility>

#include "loom/plan/co_optimize.h"
#include "loom/plan/job_ground.h"
#include "loom/plan/way_grounds.h"

namespace loom {
namespace {

// Ways between every two servers are kept.
constexpr int kMostServers = 1024;

// A network that is there stays; a fabric whose circuits are set once for a job gets those for what
// it sends.
MakeGround grounds_of(const Prepared& prepared, const JobSpec& spec,
                      std::shared_ptr<NetworkGround>& given) {
  if (prepared.circuits) {
    return
        [&prepared](const LoweredJob& job) { return topology_for(prepared.circuits->fabric, job); };
  }
  given =
      std::make_shared<NetworkGround>(std::make_shared<Network>(prepared.network), spec.algorithm);
  const WayGround ground = {std::make_shared<Network>(prepared.network),
                            [given](const Collective& wanted, const Groups& groups) {
                              return given->choose(wanted, groups);
                            }};
  return [ground](const LoweredJob&) { return ground; };
}

void refuse_what_does_not_fit(const Scenario& scenario, const Prepared& prepared, int devices) {
  const JobSpec& spec = prepared.job->spec;
  const Settings& settings = scenario.workload;
  if (prepared.circuits && !prepared.circuits->fabric.topology) {
    settings.refuse("partition", "a network that stays, or fabric topoopt, is needed");
  }
  if (prepared.circuits && !prepared.circuits->fabric.forwarding) {
    scenario.fabric.settings.refuse("forwarding", "for partition co_optimized true is needed");
  }
  if (spec.any_batch) settings.refuse("batch", "with partition co_optimized a number is needed");
  if (devices > kMostServers) {
    settings.refuse("partition", fmt::format("it is for at most {} devices, and there are {}",
                                             kMostServers, devices));
  }
}

}  // namespace

void prepare_co_optimized(const Scenario& scenario, Prepared& prepared,
                          const SearchOptions& given_options) {
  const int devices =
      prepared.circuits ? prepared.circuits->fabric.devices() : prepared.network.devices;
  refuse_what_does_not_fit(scenario, prepared, devices);
  PreparedJob& job = *prepared.job;
  const WaySpace space({.model = job.spec.model,
                        .job = job.spec.job,
                        .accelerator = job.spec.accelerator,
                        .measured = job.spec.measured,
                        .servers = devices});
  WaySearchOptions options = job.spec.choice.search;
  options.progress = given_options.progress;
  options.threads = given_options.threads;
  std::shared_ptr<NetworkGround> given;
  const auto result = co_optimize(space, grounds_of(prepared, job.spec, given), options);
  if (const auto* no = std::get_if<Infeasible>(&result)) {
    prepared.infeasible =
        fmt::format("{} on {} devices: {}", job.spec.model.name, devices, no->why);
    return;
  }
  const auto& found = std::get<CoOptimized>(result);
  const auto placed = space.placed(found.ways);
  const auto& placement = std::get<GroupPlacement>(placed);
  job.ways = found_ways(space, found);
  job.strategy.operators = devices;
  job.memory = placement.memory;
  job.flops = static_cast<double>(job.spec.job.batch) *
              static_cast<double>(job.spec.model.training_flops());
  job.done_flops = job.flops;
  job.lowered = space.lowered(placement, job.spec.iterations, found.ground.choose);
  prepared.workload = std::move(job.lowered.workload);
  RankedStrategy& ranked = job.search.ranking.emplace_back();
  ranked.strategy = job.strategy;
  ranked.predicted = found.predicted;
  job.search.possible = 1;
  job.search.priced = 1;
  if (!prepared.circuits) return;
  prepared.network = *found.ground.network;
  prepared.circuits->lit = found.ground.lit;
}

}  // namespace loom
