#include "loom/plan/topoopt/co_optimize.h"

#include <fmt/format.h>

#include <utility>

namespace loom::plan {
namespace {

// The network provided for a set of configurations, and their time on it.
struct TopologyCandidate {
  ProvidedNetwork provided;
  std::unique_ptr<NetworkLoads> loads;  // null if the network did not change
  Duration time = kForever;
};

TopologyCandidate laid(const SearchSpace& space, const ProvideNetwork& make,
                       const OperatorConfigurations& configs, const ProvidedNetwork& before) {
  const auto placed = space.placed(configs);
  TopologyCandidate it;
  it.provided = make(space.lowered(std::get<place::GroupPlacement>(placed), 1, plain_ring));
  if (it.provided.infeasible) return it;
  auto loads = std::make_unique<NetworkLoads>(it.provided);
  it.time = ConfigurationCost(space, *loads, configs).time();
  if (it.provided.network != before.network) it.loads = std::move(loads);
  return it;
}

void take(TopologyCandidate it, const OperatorConfigurations& configs, CoOptimized& best,
          std::unique_ptr<NetworkLoads>& loads) {
  best.predicted = it.time;
  best.provided = std::move(it.provided);
  if (it.loads) loads = std::move(it.loads);
  best.configs = OperatorConfigurations(configs);
}

std::string servers_text(const SearchSpace& space, int op, const OperatorConfiguration& config) {
  const int shards = space.partition(op, config).partition.degree;
  const int last = space.server(op, config, shards - 1);
  const int step = space.places(op, config.partition);
  if (shards == 1) return fmt::format("{}", config.first);
  return fmt::format("{} to {}{}", config.first, last,
                     step == 1 ? "" : fmt::format(" in steps of {}", step));
}

}  // namespace

SearchReport search_report(const SearchSpace& space, const CoOptimized& found) {
  SearchReport it;
  it.summary = to_text(space, found.configs);
  for (int op = 0; op < space.operators(); ++op) {
    const OperatorConfiguration& config = found.configs[static_cast<std::size_t>(op)];
    const parallelize::PartitionedOperator& partitioned = space.partition(op, config);
    it.operators.push_back(
        {partitioned.name,
         partitioned.partition.degree == 1
             ? std::string("whole")
             : fmt::format("{}/{}",
                           parallelize::kPartitionDimensionNames[static_cast<std::size_t>(
                               partitioned.partition.dimension)],
                           partitioned.partition.degree),
         servers_text(space, op, config)});
  }
  it.predicted = found.predicted;
  NetworkLoads loads(found.provided);
  ConfigurationCost replicated(space, loads, data_parallel_configs(space));
  it.data_parallel = replicated.time();
  it.data_parallel_fits = replicated.fits();
  it.rounds = found.rounds;
  return it;
}

workload::Collective plain_ring(const workload::Collective& wanted, const workload::Groups&) {
  workload::Collective chosen = wanted;
  chosen.algorithm = algorithms_for(wanted.kind).front();
  return chosen;
}

std::variant<CoOptimized, Infeasible> co_optimize(const SearchSpace& space,
                                                  const ProvideNetwork& make,
                                                  const McmcOptions& options) {
  const auto starts = initial_configs(space);
  if (const auto* none = std::get_if<Infeasible>(&starts)) return *none;
  CoOptimized best;
  best.predicted = kForever;
  std::unique_ptr<NetworkLoads> loads;
  Infeasible no;
  for (const OperatorConfigurations& configs :
       std::get<std::vector<OperatorConfigurations>>(starts)) {
    TopologyCandidate it = laid(space, make, configs, best.provided);
    if (it.provided.infeasible) no = *it.provided.infeasible;
    if (it.time < best.predicted) take(std::move(it), configs, best, loads);
  }
  if (best.configs.empty()) return no;
  for (int r = 0; r < options.rounds; ++r) {
    SearchRound round;
    round.before = best.predicted;
    McmcSearch found = mcmc_search(space, *loads, best.configs, options, r);
    round.found = found.time;
    round.proposals = found.proposals;
    round.accepted = found.accepted;
    round.refused = found.refused;
    round.steps = std::move(found.steps);
    best.configs = std::move(found.configs);
    best.predicted = found.time;
    TopologyCandidate next = laid(space, make, best.configs, best.provided);
    const bool given = next.loads == nullptr;
    round.after = given ? found.time : next.time;
    if (round.after < best.predicted) take(std::move(next), best.configs, best, loads);
    best.rounds.push_back(std::move(round));
    const bool gained = best.predicted < best.rounds.back().before;
    if (given || !gained) break;
  }
  return best;
}

}  // namespace loom::plan
