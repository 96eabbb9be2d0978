#include "loom/plan/choose_collective.h"

#include <algorithm>

#include "loom/fabric/circuits/provision/provision.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/plan/circuits/ring_order.h"
#include "loom/simulate/engine.h"
#include "loom/workload/demand.h"

namespace loom::plan {
namespace {

// Whether the ranks fill neighborhoods of `size` adjacent devices, each in device order.
bool fill_neighborhoods(const std::vector<int>& ranks, int size) {
  const auto of = static_cast<std::size_t>(size);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const int first = ranks[r - r % of];
    if (first % size != 0 || ranks[r] != first + static_cast<int>(r % of)) return false;
  }
  return ranks.size() % of == 0;
}

std::vector<int> first_group(const workload::Groups& groups) {
  return {groups.members.begin(), groups.members.begin() + groups.size};
}

std::vector<AlgorithmEstimate> cheapest_first(std::vector<AlgorithmEstimate> estimates) {
  std::stable_sort(estimates.begin(), estimates.end(),
                   [](const auto& a, const auto& b) { return a.predicted < b.predicted; });
  return estimates;
}

}  // namespace

std::vector<int> suggested_levels(const std::vector<int>& ranks, const fabric::Network& network) {
  const int count = static_cast<int>(ranks.size());
  if (network.levels.empty()) return {};
  if (count == network.devices && fill_neighborhoods(ranks, count)) return network.levels;
  const int inner = network.levels.front();
  if (count <= inner || !fill_neighborhoods(ranks, inner)) return {};
  return {inner, count / inner};
}

bool too_many_peers(const workload::Collective& collective, int ranks) {
  constexpr int kMaxPeers = 64;
  return ranks > kMaxPeers && collective.kind != workload::CollectiveKind::all_to_all &&
         collective.algorithm == workload::Algorithm::direct;
}

std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const std::vector<int>& ranks,
                                                   const fabric::Network& network) {
  return estimate_algorithms(collective, workload::Groups{static_cast<int>(ranks.size()), ranks},
                             network);
}

std::vector<workload::Collective> possible_algorithms(const workload::Collective& collective,
                                                      const std::vector<int>& ranks,
                                                      const fabric::Network& network) {
  std::vector<workload::Collective> possible;
  for (const workload::Algorithm algorithm : algorithms_for(collective.kind)) {
    workload::Collective candidate = collective;
    candidate.algorithm = algorithm;
    const bool levels_wanted =
        algorithm == workload::Algorithm::hierarchical && collective.levels.empty();
    if (levels_wanted) candidate.levels = suggested_levels(ranks, network);
    if (algorithm != workload::Algorithm::hierarchical) candidate.levels.clear();
    if (algorithm != workload::Algorithm::rings) candidate.steps.clear();
    if (!objection(candidate, static_cast<int>(ranks.size()))) possible.push_back(candidate);
  }
  return possible;
}

workload::Workload concurrent(const workload::Collective& collective,
                              const workload::Groups& groups, const fabric::Network& network) {
  workload::Workload workload =
      collective_workload(collective, first_group(groups), network.devices);
  workload.groups.front() = groups;
  return with_ring_order(std::move(workload), network);
}

std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const workload::Groups& groups,
                                                   const fabric::Network& network,
                                                   simulate::IsolatedTimes* times) {
  simulate::EngineOptions options;
  options.isolated = times;
  std::vector<AlgorithmEstimate> estimates;
  for (const workload::Collective& candidate :
       possible_algorithms(collective, first_group(groups), network)) {
    const workload::Workload workload = concurrent(candidate, groups, network);
    estimates.push_back(
        {candidate, simulate::simulate_coarse(workload, network, options).completion_time});
  }
  return cheapest_first(std::move(estimates));
}

std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const std::vector<int>& ranks,
                                                   const fabric::CircuitFabric& circuits) {
  std::vector<AlgorithmEstimate> estimates;
  for (const workload::Algorithm algorithm : algorithms_for(collective.kind)) {
    workload::Collective candidate = collective;
    candidate.algorithm = algorithm;
    if (algorithm != workload::Algorithm::hierarchical) candidate.levels.clear();
    if (algorithm != workload::Algorithm::rings) candidate.steps.clear();
    const auto count = static_cast<int>(ranks.size());
    if (objection(candidate, count) || too_many_peers(candidate, count)) continue;
    workload::Workload workload = collective_workload(candidate, ranks, circuits.devices());
    const fabric::CircuitSetup setup = provision_workload(circuits, workload);
    if (setup.infeasible) continue;
    estimates.push_back(
        {candidate, simulate::simulate_coarse(workload, setup.network, {}).completion_time});
  }
  return cheapest_first(std::move(estimates));
}

}  // namespace loom::plan
