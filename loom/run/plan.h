// The plan of a scenario: everything that an engine needs, and the alternatives that were
// considered.
//
// plan() is the third stage of the pipeline: from a scenario and a fabric, it makes a Plan, or
// gives the reason why there is none. Each kind of work has a planner in a file of its own
// (plan_collective.h, plan_training.h, ...), which returns PlannedWork; plan() adds link changes
// and the choice of the engine.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "loom/jobs/colocated/plan_jobs.h"
#include "loom/plan/choose_collective.h"
#include "loom/plan/circuits/circuit_phases.h"
#include "loom/plan/planner.h"
#include "loom/run/build.h"

namespace loom::run {

struct CollectivePlan {
  workload::Collective collective;
  int ranks = 0;
  std::vector<plan::AlgorithmEstimate> considered;  // for algorithm: auto, fastest first
};

struct FlowsPlan {};

struct WorkloadPlan {};  // operations from a file

struct ReplayPlan {};

// A training job with the strategy that its planner chose.
struct TrainingPlan : plan::TrainingChoice {
  place::LoweredJob lowered;  // its workload has moved to the Plan
};

// Jobs that share the cluster, each planned.
struct ColocatedPlan {
  std::vector<jobs::PlannedJob> jobs;
  std::vector<std::size_t>
      first;  // index of the first operation of each job; at the end, the number of operations
  std::string placement;  // name of the rule that chose the devices
};

using WorkPlan =
    std::variant<CollectivePlan, FlowsPlan, WorkloadPlan, ReplayPlan, TrainingPlan, ColocatedPlan>;

// The circuits of a plan: the initial circuits, and those of each phase if they change between
// phases.
struct PlannedCircuits {
  fabric::CircuitFabric fabric;
  fabric::Provisioned provisioned;
  std::optional<plan::CircuitPhases> phases;  // reconfigure: phases

  // Whether circuits change during the run.
  bool changes() const {
    return phases ? phases->sets.size() > 1 : fabric.reconfigure == fabric::Reconfigure::periodic;
  }
};

// The result of one planner.
struct PlannedWork {
  fabric::Network network;
  workload::Workload workload;
  std::optional<PlannedCircuits> circuits;  // on a fabric of circuits
  WorkPlan work;
};

// The simulated time by a routing that was considered.
struct RoutingTime {
  std::string_view routing;
  Duration time{0};
};

struct Plan : PlannedWork {
  std::vector<simulate::LinkChange> changes;
  scenario::Engine engine = scenario::Engine::fluid;  // never automatic
  std::vector<RoutingTime> routings;                  // with `routing: auto`, fastest first

  template <typename Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&work);
  }
  bool circuits_change() const { return circuits && circuits->changes(); }
  // The number of iterations of a training job; other work counts as one.
  int iterations() const;
  int iteration_of(std::size_t operation) const;  // from 0
};

// Work that cannot be planned: the reason, and the incomplete plan.
struct Unplanned {
  Infeasible reason;
  WorkPlan work;
};

using PlannedOrNot = std::variant<PlannedWork, Unplanned>;
using PlanOrNot = std::variant<Plan, Unplanned>;

// The changes that affect links of this network.
std::vector<simulate::LinkChange> changes_on(const fabric::Network& network,
                                             std::span<const Settings> changes);

// Whether the fluid engine has at most `max_messages` messages to simulate, counted after symmetry
// reduction.
bool affordable(const scenario::Scenario& scenario, const workload::Workload& workload,
                const fabric::Network& network);

PlanOrNot plan(const scenario::Scenario& scenario, const Inputs& inputs, const Fabric& fabric,
               const Replacements& replacements, const plan::SearchOptions& options);

// Runs all stages up to the plan. Throws InputError if there is no plan.
Plan plan_or_refuse(const scenario::Scenario& scenario, const Replacements& replacements,
                    const plan::SearchOptions& options);

}  // namespace loom::run
