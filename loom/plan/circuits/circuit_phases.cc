#include "loom/plan/circuits/circuit_phases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "loom/fabric/circuits/control/phased.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/plan/circuits/provision_demand.h"
#include "loom/plan/strategies.h"
#include "loom/simulate/engine.h"

namespace loom::plan {
namespace {

constexpr std::size_t kMaxKinds = 4;  // 4 kinds have 15 assignments to sets; all are tried

// Index of the set of circuits, per kind of communication.
using Sharing = std::vector<int>;

class Phases {
 public:
  Phases(const fabric::CircuitFabric& fabric, const place::LoweredJob& job, bool folding)
      : fabric_(fabric), job_(job), folding_(folding) {
    std::map<std::pair<place::Purpose, bool>, int> kinds;
    for (std::size_t o = 0; o < job.tags.size(); ++o) {
      const workload::OperationKind kind = job.workload.operations[o].kind;
      if (kind == workload::OperationKind::compute) {
        kind_of_.push_back(0);
        continue;
      }
      const place::OperationTag& tag = job.tags[o];
      const bool forward = tag.purpose == place::Purpose::data || tag.forward;
      const auto [at, first] =
          kinds.try_emplace({tag.purpose, forward}, static_cast<int>(kinds.size()));
      if (first) {
        names_.push_back(fmt::format("{}{}",
                                     place::kPurposeNames[static_cast<std::size_t>(tag.purpose)],
                                     tag.purpose == place::Purpose::data ? ""
                                     : forward                           ? " forward"
                                                                         : " backward"));
      }
      kind_of_.push_back(at->second);
    }
  }

  PhasedPlan best() {
    const std::size_t kinds = std::max<std::size_t>(1, names_.size());
    plan_.one_set = try_sharing(Sharing(kinds, 0));
    if (kinds <= kMaxKinds) {
      Sharing sharing(kinds, 0);
      try_all(sharing, 1, 1);
    } else {
      join_one_by_one(kinds);
    }
    return std::move(plan_);
  }

 private:
  // Tries every assignment of kind k and of the kinds after it to an existing or a new set.
  void try_all(Sharing& sharing, std::size_t k, int sets) {
    if (k == sharing.size()) {
      if (sets > 1) try_sharing(sharing);
      return;
    }
    for (int set = 0; set <= sets; ++set) {
      sharing[k] = set;
      try_all(sharing, k + 1, std::max(sets, set + 1));
    }
  }

  void join_one_by_one(std::size_t kinds) {
    Sharing sharing;
    for (std::size_t k = 0; k < kinds; ++k) sharing.push_back(static_cast<int>(k));
    Duration now = try_sharing(sharing);
    for (bool better = true; better;) {
      better = false;
      Sharing best = sharing;
      for (const auto& [a, b] : pairs_of_sets(sharing)) {
        Sharing joined = sharing;
        std::replace(joined.begin(), joined.end(), b, a);
        const Duration time = try_sharing(joined);
        if (time >= now) continue;
        now = time;
        best = joined;
        better = true;
      }
      sharing = best;
    }
  }

  static std::vector<std::pair<int, int>> pairs_of_sets(const Sharing& sharing) {
    const std::set<int> sets(sharing.begin(), sharing.end());
    std::vector<std::pair<int, int>> pairs;
    for (const int a : sets) {
      for (const int b : sets) {
        if (a < b) pairs.emplace_back(a, b);
      }
    }
    return pairs;
  }

  CircuitPhases phases_for(const Sharing& sharing) const {
    CircuitPhases phases;
    std::map<int, int> index;
    for (std::size_t k = 0; k < sharing.size(); ++k) {
      const auto [at, first] = index.try_emplace(sharing[k], static_cast<int>(index.size()));
      const std::string name = k < names_.size() ? names_[k] : "none";
      if (first) phases.names.push_back(name);
      if (!first) phases.names[static_cast<std::size_t>(at->second)] += ", " + name;
    }
    for (const int kind : kind_of_) {
      phases.set_of.push_back(index.at(sharing[static_cast<std::size_t>(kind)]));
    }
    return phases;
  }

  // Simulated iteration time with these sets; kForever if a set cannot carry its demand.
  Duration try_sharing(const Sharing& sharing) {
    ++plan_.tried;
    CircuitPhases phases = phases_for(sharing);
    fabric::Provisioned first;
    for (int set = 0; set < static_cast<int>(phases.names.size()); ++set) {
      fabric::CircuitSetup setup = provision_demand(
          fabric_,
          demand_of(job_.workload, [&](std::size_t o) { return phases.set_of[o] == set; }));
      if (setup.infeasible) return kForever;
      phases.sets.push_back(setup.provisioned.circuits);
      if (set == 0) first = std::move(setup.provisioned);
    }
    fabric::Network network = circuit_network(fabric_, pairs_of(phases.sets));
    fabric::PhasedControl control(fabric_, network, phases.sets, phases.set_of);
    simulate::EngineOptions options;
    options.control = &control;
    options.folding = folding_;
    const simulate::Outcome outcome = simulate_fluid(job_.workload, network, {}, options);
    if (outcome.deadlock) return kForever;
    const Duration time = iteration_time(job_, outcome.operation_end);
    if (plan_.phases.sets.empty() || time < plan_.iteration) {
      plan_.iteration = time;
      plan_.phases = std::move(phases);
      plan_.network = std::move(network);
      plan_.provisioned = std::move(first);
    }
    return time;
  }

  // The pairs of all sets, with the number of circuits that they have in set 0.
  static std::vector<fabric::PairCircuits> pairs_of(const std::vector<fabric::Circuits>& sets) {
    std::map<std::pair<int, int>, int> counts;
    for (std::size_t s = sets.size(); s-- > 0;) {
      for (const fabric::PairCircuits& it : by_pair(sets[s])) {
        counts[{it.from, it.to}] = s == 0 ? it.count : 0;
      }
    }
    std::vector<fabric::PairCircuits> pairs;
    pairs.reserve(counts.size());
    for (const auto& it : counts) pairs.push_back({it.first.first, it.first.second, it.second});
    return pairs;
  }

  const fabric::CircuitFabric& fabric_;
  const place::LoweredJob& job_;
  const bool folding_;
  std::vector<int> kind_of_;  // kind of communication, per operation
  std::vector<std::string> names_;
  PhasedPlan plan_;
};

}  // namespace

PhasedPlan plan_phases(const fabric::CircuitFabric& fabric, const place::LoweredJob& job,
                       bool folding) {
  PhasedPlan plan = Phases(fabric, job, folding).best();
  if (plan.phases.sets.empty()) plan.iteration = kForever;  // no set carries the job
  plan.lowered = job;
  return plan;
}

PhasedPlan plan_phases(const fabric::CircuitFabric& fabric, const MappedJob& once,
                       std::span<const place::LoweredJob> other_algorithms, bool folding) {
  PhasedPlan best = plan_phases(fabric, once.lowered, folding);
  for (const place::LoweredJob& it : other_algorithms) {
    if (it.workload.collectives == once.lowered.workload.collectives) continue;
    PhasedPlan other = plan_phases(fabric, it, folding);
    other.tried += best.tried;
    if (other.iteration < best.iteration) std::swap(best, other);
    best.tried = std::max(best.tried, other.tried);
  }
  simulate::EngineOptions options;
  options.folding = folding;
  const simulate::Outcome outcome =
      simulate_fluid(once.lowered.workload, *once.network, {}, options);
  if (outcome.deadlock) return best;
  const Duration time = iteration_time(once.lowered, outcome.operation_end);
  if (time > best.iteration) return best;
  return {.phases = {{once.provisioned->circuits},
                     std::vector<int>(once.lowered.workload.operations.size(), 0),
                     {fmt::format("{}", fmt::join(best.phases.names, ", "))}},
          .network = *once.network,
          .provisioned = *once.provisioned,
          .iteration = time,
          .one_set = time,
          .tried = best.tried + 1,
          .lowered = once.lowered};
}

}  // namespace loom::plan
