#include "loom/plan/circuits/circuit_collectives.h"

#include <algorithm>
#include <limits>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/plan/circuits/provision_demand.h"
#include "loom/simulate/engine.h"
#include "loom/workload/demand.h"

namespace loom::plan {
namespace {

constexpr Bytes kNominal{1 << 30};

// More chunks are taken only if the time falls to this fraction: a job has many collectives, and
// the fluid engine follows every chunk.
constexpr double kWorthMoreChunks = 0.9;

workload::Workload side_by_side(const workload::Collective& collective,
                                const workload::Groups& groups, int devices) {
  workload::Workload workload;
  workload.devices = devices;
  workload.groups = {groups};
  workload.collectives = {collective};
  workload.operations = {
      {.kind = workload::OperationKind::collective, .groups = 0, .collective = 0}};
  return workload;
}

}  // namespace

std::vector<workload::Collective> circuit_candidates(workload::CollectiveKind kind, int ranks) {
  std::vector<workload::Collective> candidates;
  workload::Collective candidate;
  candidate.kind = kind;
  candidate.size = kNominal;
  const auto add = [&] {
    const bool crowded = too_many_peers(candidate, ranks) || too_long_a_line(candidate, ranks);
    if (!crowded && !objection(candidate, ranks)) candidates.push_back(candidate);
  };
  for (const workload::Algorithm algorithm : algorithms_for(kind)) {
    candidate.algorithm = algorithm;
    candidate.levels.clear();
    if (algorithm != workload::Algorithm::hierarchical) add();
    for (int inner = 4; algorithm == workload::Algorithm::hierarchical && inner <= 32; inner *= 2) {
      if (ranks % inner != 0 || ranks / inner < 2) continue;
      candidate.levels = {inner, ranks / inner};
      add();
    }
  }
  return candidates;
}

const AlgorithmEstimate& CircuitCollectives::choose(const workload::Collective& wanted,
                                                    const workload::Groups& groups) {
  std::uint64_t layout = groups.members.size();
  for (const int member : groups.members) layout = mix(layout, static_cast<std::uint64_t>(member));
  const Pattern pattern = {wanted.kind, groups.size, layout};
  const Key key = {pattern, wanted.size.count};
  return known_.answer(key, [&] { return best(wanted, groups, pattern); });
}

// Returns the requested algorithm if it can perform the collective, otherwise all algorithms.
std::vector<workload::Collective> CircuitCollectives::candidates(workload::CollectiveKind kind,
                                                                 int ranks) const {
  std::vector<workload::Collective> all = circuit_candidates(kind, ranks);
  if (!algorithm_) return all;
  const auto asked = [&](const workload::Collective& it) { return it.algorithm == *algorithm_; };
  if (std::any_of(all.begin(), all.end(), asked)) {
    std::erase_if(all, [&](const workload::Collective& it) { return !asked(it); });
    return all;
  }
  workload::Collective crowded = all.front();
  crowded.algorithm = *algorithm_;
  crowded.levels.clear();
  const std::vector<workload::Algorithm> can = algorithms_for(kind);
  const bool known = std::find(can.begin(), can.end(), *algorithm_) != can.end();
  return known && !objection(crowded, ranks) ? std::vector{crowded} : all;
}

std::vector<CircuitCollectives::ProvisionedPattern> CircuitCollectives::provisioned(
    const Pattern& pattern, const workload::Groups& groups) const {
  std::vector<ProvisionedPattern> provisioned;
  const std::vector<workload::Collective> all = candidates(std::get<0>(pattern), groups.size);
  for (const bool forwards : {false, true}) {
    if (!provisioned.empty() || (forwards && !fabric_.forwarding)) break;
    for (const workload::Collective& it : all) {
      const workload::Demand demand = demand_of(side_by_side(it, groups, fabric_.devices()));
      if (!forwards && forwarding_needed(fabric_, demand)) continue;
      fabric::CircuitSetup here = provision_demand(fabric_, demand);
      const bool own = forwards || fabric_.packets || here.provisioned.unserved.empty();
      if (own && !here.infeasible) provisioned.push_back({it, std::move(here.network)});
    }
  }
  return provisioned;
}

AlgorithmEstimate CircuitCollectives::best(const workload::Collective& wanted,
                                           const workload::Groups& groups, const Pattern& pattern) {
  AlgorithmEstimate cheapest{wanted, kForever};
  for (const ProvisionedPattern& it :
       provisioned_.answer(pattern, [&] { return provisioned(pattern, groups); })) {
    workload::Collective candidate = it.collective;
    candidate.size = wanted.size;
    candidate.chunks = kAnyChunks;
    double limit = std::numeric_limits<double>::infinity();
    for (const int chunks : chunk_counts(candidate, groups.size)) {
      candidate.chunks = chunks;
      const workload::Workload workload = side_by_side(candidate, groups, fabric_.devices());
      const Duration time = simulate::simulate_coarse(workload, it.network, {}).completion_time;
      if (seconds(time) > limit) break;
      limit = kWorthMoreChunks * seconds(time);
      if (time < cheapest.predicted) cheapest = {candidate, time};
    }
  }
  if (cheapest.predicted == kForever) {  // no candidate is feasible; the job reports that
    cheapest = {candidates(wanted.kind, groups.size).front(), Duration(0)};
    cheapest.collective.size = wanted.size;
  }
  return cheapest;
}

}  // namespace loom::plan
