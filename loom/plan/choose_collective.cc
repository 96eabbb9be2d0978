#include "loom/plan/choose_collective.h"

#include <algorithm>
#include <limits>
#include <span>

#include "loom/fabric/circuits/provision/provision.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/plan/circuits/ring_order.h"
#include "loom/plan/rank_bound.h"
#include "loom/simulate/engine.h"
#include "loom/simulate/isolated_times.h"
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

// Whether data passes through a chain or a tree of ranks, in which ranks forward one chunk while
// they receive the next.
bool pipelined(const workload::Collective& collective) {
  switch (collective.algorithm) {
    case workload::Algorithm::ring:
      return collective.kind == workload::CollectiveKind::broadcast;
    case workload::Algorithm::line:
      return collective.kind == workload::CollectiveKind::all_reduce;
    default:
      return collective.algorithm == workload::Algorithm::double_binary_tree;
  }
}

// The collective by every algorithm and number of chunks that can perform it. The hierarchical
// algorithm gets `levels()` if it has none.
template <class Levels>
std::vector<workload::Collective> possible(const workload::Collective& collective, int ranks,
                                           const Levels& levels) {
  std::vector<workload::Collective> possible;
  for (const workload::Algorithm algorithm : algorithms_for(collective.kind)) {
    workload::Collective candidate = collective;
    candidate.algorithm = algorithm;
    const bool hierarchical = algorithm == workload::Algorithm::hierarchical;
    if (hierarchical && candidate.levels.empty()) candidate.levels = levels();
    if (!hierarchical) candidate.levels.clear();
    if (algorithm != workload::Algorithm::rings) candidate.steps.clear();
    for (const int chunks : chunk_counts(candidate, ranks)) {
      candidate.chunks = chunks;
      if (!too_long_a_line(candidate, ranks) && !objection(candidate, ranks)) {
        possible.push_back(candidate);
      }
      candidate.chunks = collective.chunks;
    }
  }
  return possible;
}

// Calls estimate(candidate), which returns a time if the candidate is feasible, for one algorithm
// with ever more chunks until they no longer pay. Returns the best, if any is feasible.
template <class Estimate>
std::optional<AlgorithmEstimate> with_best_chunks(std::span<const workload::Collective> by_chunks,
                                                  const Estimate& estimate) {
  std::optional<AlgorithmEstimate> best;
  for (const workload::Collective& it : by_chunks) {
    const std::optional<Duration> time = estimate(it);
    if (best && (!time || *time >= best->predicted)) break;
    if (time) best = {it, *time};
  }
  return best;
}

// The candidates of each algorithm; they differ in their chunks.
std::vector<std::span<const workload::Collective>> by_algorithm(
    std::span<const workload::Collective> candidates) {
  std::vector<std::span<const workload::Collective>> algorithms;
  while (!candidates.empty()) {
    const auto end = std::find_if(candidates.begin(), candidates.end(), [&](const auto& it) {
      return it.algorithm != candidates.front().algorithm;
    });
    const auto count = static_cast<std::size_t>(end - candidates.begin());
    algorithms.push_back(candidates.first(count));
    candidates = candidates.subspan(count);
  }
  return algorithms;
}

// The best of each algorithm.
template <class Estimate>
std::vector<AlgorithmEstimate> estimated(std::span<const workload::Collective> candidates,
                                         const Estimate& estimate) {
  std::vector<AlgorithmEstimate> best;
  for (const auto& it : by_algorithm(candidates)) {
    if (auto one = with_best_chunks(it, estimate)) best.push_back(*std::move(one));
  }
  return best;
}

// A lower bound on the time of a collective that has the network to itself, if its time would be
// simulated message by message; else zero.
Duration isolated_bound(const workload::Workload& isolated, const fabric::Network& network,
                        const simulate::IsolatedTimes& times) {
  const workload::Operation& operation = isolated.operations.front();
  const workload::Groups& groups = isolated.groups[static_cast<std::size_t>(operation.groups)];
  const workload::Collective& collective = isolated.collectives.front();
  if (!times.in_full(collective, groups)) return Duration(0);
  return std::max(mean_rank_bound(collective, groups, network),
                  busiest_link_bound(network, demand_of(isolated)));
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

std::vector<int> chunk_counts(const workload::Collective& collective, int ranks) {
  constexpr std::int64_t kMinChunk = 65'536;      // bytes
  constexpr std::int64_t kMaxMessages = 1 << 18;  // of all ranks, by chunks
  constexpr int kMax = 1024;
  if (collective.chunks != kAnyChunks) return {collective.chunks};
  std::vector<int> counts = {1};
  for (int count = 4; pipelined(collective) && count <= kMax; count *= 4) {
    if (collective.size.count / count < kMinChunk) break;
    if (std::int64_t{count} * ranks > kMaxMessages) break;
    counts.push_back(count);
  }
  return counts;
}

bool too_long_a_line(const workload::Collective& collective, int ranks) {
  constexpr int kLongest = 64;
  return collective.algorithm == workload::Algorithm::line && ranks > kLongest &&
         collective.kind != workload::CollectiveKind::all_reduce;
}

bool too_many_peers(const workload::Collective& collective, int ranks) {
  constexpr int kMaxPeers = 64;
  return ranks > kMaxPeers && collective.kind != workload::CollectiveKind::all_to_all &&
         collective.algorithm == workload::Algorithm::direct;
}

std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const std::vector<int>& ranks,
                                                   const fabric::Network& network) {
  simulate::IsolatedTimes times(network);
  return estimate_algorithms(collective, workload::Groups{static_cast<int>(ranks.size()), ranks},
                             network, times, std::numeric_limits<double>::infinity());
}

std::vector<workload::Collective> possible_algorithms(const workload::Collective& collective,
                                                      const std::vector<int>& ranks,
                                                      const fabric::Network& network) {
  std::vector<workload::Collective> all = possible(
      collective, static_cast<int>(ranks.size()), [&] { return suggested_levels(ranks, network); });
  // Through a switch, every rank is a neighbor of every other.
  if (network.nodes > network.devices) {
    std::erase_if(all, [](const auto& it) { return it.algorithm == workload::Algorithm::line; });
  }
  return all;
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
                                                   simulate::IsolatedTimes& times, double within) {
  simulate::EngineOptions options;
  options.isolated = &times;
  double limit = std::numeric_limits<double>::infinity();  // picoseconds
  const auto estimate = [&](const workload::Collective& it) -> std::optional<Duration> {
    const workload::Workload workload = concurrent(it, groups, network);
    if (limit < std::numeric_limits<double>::infinity() &&
        static_cast<double>(isolated_bound(workload, network, times).count()) > limit) {
      return std::nullopt;
    }
    const Duration time = simulate::simulate_coarse(workload, network, options).completion_time;
    limit = std::min(limit, within * static_cast<double>(time.count()));
    return time;
  };
  const std::vector<workload::Collective> candidates =
      possible_algorithms(collective, first_group(groups), network);
  // Those with the lowest bounds come first: they are likely to rule out the others.
  std::vector<std::pair<Duration, std::size_t>> order;
  const auto algorithms = by_algorithm(candidates);
  for (std::size_t p = 0; p < algorithms.size(); ++p) {
    order.emplace_back(
        isolated_bound(concurrent(algorithms[p].front(), groups, network), network, times), p);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::optional<AlgorithmEstimate>> best(algorithms.size());
  for (const auto& it : order) best[it.second] = with_best_chunks(algorithms[it.second], estimate);
  std::vector<AlgorithmEstimate> estimates;
  for (std::optional<AlgorithmEstimate>& it : best) {
    if (it) estimates.push_back(*std::move(it));
  }
  return cheapest_first(std::move(estimates));
}

std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const std::vector<int>& ranks,
                                                   const fabric::CircuitFabric& circuits) {
  const auto count = static_cast<int>(ranks.size());
  const auto estimate = [&](const workload::Collective& candidate) -> std::optional<Duration> {
    if (too_many_peers(candidate, count)) return std::nullopt;
    workload::Workload workload = collective_workload(candidate, ranks, circuits.devices());
    const fabric::CircuitSetup setup = provision_workload(circuits, workload);
    if (setup.infeasible) return std::nullopt;
    return simulate::simulate_coarse(workload, setup.network, {}).completion_time;
  };
  const auto no_levels = [] { return std::vector<int>{}; };
  return cheapest_first(estimated(possible(collective, count, no_levels), estimate));
}

}  // namespace loom::plan
