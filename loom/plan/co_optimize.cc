#include "loom/plan/co_optimize.h"

#include <fmt/format.h>

#include <utility>

namespace loom {
namespace {

// Ways on the network made for them.
struct TopologyCandidate {
  WayGround ground;
  std::unique_ptr<NetworkLoads> loads;  // none where the network is the one of before
  Duration time = kForever;
};

TopologyCandidate laid(const WaySpace& space, const MakeGround& make, const OperatorWays& ways,
                       const WayGround& before) {
  const auto placed = space.placed(ways);
  TopologyCandidate it;
  it.ground = make(space.lowered(std::get<GroupPlacement>(placed), 1, plain_ring));
  if (!it.ground.infeasible.empty()) return it;
  auto loads = std::make_unique<NetworkLoads>(it.ground);
  it.time = WayCost(space, *loads, ways).time();
  if (it.ground.network != before.network) it.loads = std::move(loads);
  return it;
}

void take(TopologyCandidate it, const OperatorWays& ways, CoOptimized& best,
          std::unique_ptr<NetworkLoads>& loads) {
  best.predicted = it.time;
  best.ground = std::move(it.ground);
  if (it.loads) loads = std::move(it.loads);
  best.ways = OperatorWays(ways);
}

std::string servers_text(const WaySpace& space, int op, const OperatorWay& way) {
  const int pieces = space.cut(op, way).cut.degree;
  const int last = space.server(op, way, pieces - 1);
  const int step = space.places(op, way.cut);
  if (pieces == 1) return fmt::format("{}", way.first);
  return fmt::format("{} to {}{}", way.first, last,
                     step == 1 ? "" : fmt::format(" in steps of {}", step));
}

}  // namespace

FoundWays found_ways(const WaySpace& space, const CoOptimized& found) {
  FoundWays it;
  it.summary = to_text(space, found.ways);
  for (int op = 0; op < space.operators(); ++op) {
    const OperatorWay& way = found.ways[static_cast<std::size_t>(op)];
    const CutOperator& cut = space.cut(op, way);
    it.operators.push_back(
        {cut.name,
         cut.cut.degree == 1
             ? std::string("whole")
             : fmt::format("{}/{}", kCutNames[static_cast<std::size_t>(cut.cut.dimension)],
                           cut.cut.degree),
         servers_text(space, op, way)});
  }
  it.predicted = found.predicted;
  NetworkLoads loads(found.ground);
  WayCost replicated(space, loads, data_parallel_ways(space));
  it.data_parallel = replicated.time();
  it.data_parallel_fits = replicated.fits();
  it.rounds = found.rounds;
  return it;
}

Collective plain_ring(const Collective& wanted, const Groups&) {
  Collective chosen = wanted;
  chosen.algorithm = algorithms_for(wanted.kind).front();
  return chosen;
}

std::variant<CoOptimized, Infeasible> co_optimize(const WaySpace& space, const MakeGround& make,
                                                  const WaySearchOptions& options) {
  const auto starts = first_ways(space);
  if (const auto* no = std::get_if<Infeasible>(&starts)) return *no;
  CoOptimized best;
  best.predicted = kForever;
  std::unique_ptr<NetworkLoads> loads;
  std::string wrong;
  for (const OperatorWays& ways : std::get<std::vector<OperatorWays>>(starts)) {
    TopologyCandidate it = laid(space, make, ways, best.ground);
    if (!it.ground.infeasible.empty()) wrong = it.ground.infeasible;
    if (it.time < best.predicted) take(std::move(it), ways, best, loads);
  }
  if (best.ways.empty()) return Infeasible{wrong};
  for (int r = 0; r < options.rounds; ++r) {
    SearchRound round;
    round.before = best.predicted;
    WaySearch found = search_ways(space, *loads, best.ways, options, r);
    round.found = found.time;
    round.proposals = found.proposals;
    round.accepted = found.accepted;
    round.refused = found.refused;
    round.steps = std::move(found.steps);
    best.ways = std::move(found.ways);
    best.predicted = found.time;
    TopologyCandidate next = laid(space, make, best.ways, best.ground);
    const bool given = next.loads == nullptr;
    round.after = given ? found.time : next.time;
    if (round.after < best.predicted) take(std::move(next), best.ways, best, loads);
    best.rounds.push_back(std::move(round));
    const bool gained = best.predicted < best.rounds.back().before;
    if (given || !gained) break;
  }
  return best;
}

}  // namespace loom
