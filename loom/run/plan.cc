#include "loom/run/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/files.h"
#include "loom/run/plan_circuits.h"
#include "loom/run/plan_collective.h"
#include "loom/run/plan_colocated.h"
#include "loom/run/plan_routing.h"
#include "loom/run/plan_training.h"
#include "loom/scenario/task_graph.h"
#include "loom/simulate/symmetry/fold.h"
#include "loom/workload/endpoints.h"

namespace loom::run {
namespace {

struct PlanInputs {
  const scenario::Scenario& scenario;
  const Inputs& inputs;
  const Fabric& fabric;
  const Replacements& replacements;
  const plan::SearchOptions& options;
};

PlannedOrNot plan_work(const scenario::CollectiveWork& work, const PlanInputs& in) {
  return plan_collective(work, in.fabric);
}

PlannedOrNot plan_work(const scenario::FlowsWork&, const PlanInputs& in) {
  return plan_given(*in.inputs.workload, in.fabric, FlowsPlan{});
}

PlannedOrNot plan_work(const scenario::WorkloadWork&, const PlanInputs& in) {
  return plan_given(*in.inputs.workload, in.fabric, WorkloadPlan{});
}

// Converts the task graph to a workload. Its all-reduces become collectives if the fabric chooses
// the rings, and messages otherwise.
workload::Workload graph_workload(const PlanInputs& in) {
  const fabric::CircuitFabric* circuits = in.fabric.circuits();
  const bool finds_rings = circuits != nullptr && circuits->finds_rings();
  const int servers = in.inputs.devices;
  if (!in.replacements.workload) {
    return to_workload(
        *in.inputs.graph, servers,
        finds_rings ? foreign::AllReduces::collectives : foreign::AllReduces::written_out);
  }
  const std::string& path = *in.replacements.workload;
  const SourceLocation location = location_of("--from workload=" + path);
  workload::Workload workload = workload::parse_workload(read_file(path, location), path);
  if (endpoints(workload) <= servers) return workload;
  throw InputError(location,
                   fmt::format("device {} sends or receives; the task graph has {} servers",
                               endpoints(workload) - 1, servers));
}

PlannedOrNot plan_work(const scenario::ReplayWork&, const PlanInputs& in) {
  return plan_given(graph_workload(in), in.fabric, ReplayPlan{});
}

PlannedOrNot plan_work(const scenario::TrainingWork& work, const PlanInputs& in) {
  return plan_training(work, in.scenario, in.fabric, in.options);
}

PlannedOrNot plan_work(const scenario::ColocatedWork& work, const PlanInputs& in) {
  return plan_colocated(work, in.scenario, in.fabric, in.options);
}

// The plan of work whose fabric cannot be bought.
struct NothingPlanned {
  WorkPlan operator()(const scenario::CollectiveWork&) const { return CollectivePlan{}; }
  WorkPlan operator()(const scenario::FlowsWork&) const { return FlowsPlan{}; }
  WorkPlan operator()(const scenario::WorkloadWork&) const { return WorkloadPlan{}; }
  WorkPlan operator()(const scenario::ReplayWork&) const { return ReplayPlan{}; }
  WorkPlan operator()(const scenario::TrainingWork&) const { return TrainingPlan{}; }
  WorkPlan operator()(const scenario::ColocatedWork&) const { return ColocatedPlan{}; }
};

void refuse_unknown_links(const fabric::Network& network, std::span<const Settings> changes) {
  for (const Settings& change : changes) {
    if (!changes_on(network, {&change, 1}).empty()) continue;
    change.refuse("link", "the fabric has no such link; 'lightloom dump --stage links' lists them");
  }
}

// Refuses settings that are incompatible with circuits that change.
void check_control(const scenario::Scenario& scenario, const PlannedCircuits& circuits) {
  if (circuits.fabric.reconfigure == fabric::Reconfigure::one_shot) return;
  if (scenario.engine() == scenario::Engine::coarse) {
    scenario.settings.refuse("engine", "circuits that change need fluid");
  }
  if (circuits.fabric.reconfigure == fabric::Reconfigure::phases && !circuits.phases) {
    scenario.fabric.settings.refuse("reconfigure",
                                    "a training job is needed; other work has no phases");
  }
}

scenario::Engine engine_for(const scenario::Scenario& scenario, const Plan& plan) {
  if (scenario.engine() != scenario::Engine::automatic) return scenario.engine();
  const auto* training = plan.as<TrainingPlan>();
  if (training == nullptr || !plan.changes.empty() || plan.circuits_change())
    return scenario::Engine::fluid;
  if (training->search_report)
    return scenario::Engine::fluid;  // co_optimized uses its own estimator
  const bool few = affordable(scenario, plan.workload, plan.network);
  return few ? scenario::Engine::fluid : scenario::Engine::coarse;
}

Plan completed(PlannedWork work, const scenario::Scenario& scenario,
               const Replacements& replacements) {
  if (work.circuits) {
    check_control(scenario, *work.circuits);
    work.network = with_links(std::move(work.network), replacements);
  }
  Plan plan{std::move(work), {}, scenario::Engine::fluid, {}};
  refuse_unknown_links(plan.network, scenario.changes);
  plan.changes = changes_on(plan.network, scenario.changes);
  if (!plan.changes.empty() && scenario.engine() == scenario::Engine::coarse) {
    throw InputError(scenario.changes.front().location(),
                     "changes are given with engine coarse; the fluid engine is needed");
  }
  plan.engine = engine_for(scenario, plan);
  return plan;
}

}  // namespace

bool affordable(const scenario::Scenario& scenario, const workload::Workload& workload,
                const fabric::Network& network) {
  const std::int64_t max = scenario.settings.integer("max_messages");
  if (message_count(workload) <= max) return true;
  const bool symmetric = scenario.settings.real("jitter") == 0;
  return symmetric && simulate::followed_messages(workload, network) <= max;
}

int Plan::iterations() const {
  const auto* training = as<TrainingPlan>();
  return training == nullptr ? 1 : training->lowered.iterations;
}

int Plan::iteration_of(std::size_t operation) const {
  const auto* training = as<TrainingPlan>();
  return training == nullptr ? 0 : training->lowered.tags[operation].iteration;
}

std::vector<simulate::LinkChange> changes_on(const fabric::Network& network,
                                             std::span<const Settings> changes) {
  std::vector<simulate::LinkChange> found;
  for (const Settings& change : changes) {
    std::string name = change.text("link");
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    for (std::size_t l = 0; l < network.links.size(); ++l) {
      if (network.link_name(LinkId(l)) != name) continue;
      found.push_back({TimePoint(change.duration("at")), LinkId(l), change.bandwidth("bandwidth")});
    }
  }
  return found;
}

PlanOrNot plan(const scenario::Scenario& scenario, const Inputs& inputs, const Fabric& fabric,
               const Replacements& replacements, const plan::SearchOptions& options) {
  if (scenario.unaffordable) {
    return Unplanned{*scenario.unaffordable, std::visit(NothingPlanned{}, scenario.work)};
  }
  if (!fabric.routings.empty()) {
    return plan_by_routing(scenario, inputs, fabric, replacements, options);
  }
  const PlanInputs in{scenario, inputs, fabric, replacements, options};
  const bool replaced = replacements.workload && inputs.workload;
  PlannedOrNot planned =
      replaced ? plan_given(*inputs.workload, fabric, WorkloadPlan{})
               : std::visit([&](const auto& work) { return plan_work(work, in); }, scenario.work);
  if (auto* no = std::get_if<Unplanned>(&planned)) return std::move(*no);
  return completed(std::move(std::get<PlannedWork>(planned)), scenario, replacements);
}

Plan plan_or_refuse(const scenario::Scenario& scenario, const Replacements& replacements,
                    const plan::SearchOptions& options) {
  const Inputs inputs = read_inputs(scenario, replacements);
  const Fabric fabric = build(scenario, inputs.devices, replacements);
  PlanOrNot planned = plan(scenario, inputs, fabric, replacements, options);
  if (const auto* no = std::get_if<Unplanned>(&planned)) {
    throw InputError(scenario.location(), no->reason.why);
  }
  return std::move(std::get<Plan>(planned));
}

}  // namespace loom::run
