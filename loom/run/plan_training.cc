#include "loom/run/plan_training.h"

#include "loom/run/plan_circuits.h"
#include "loom/scenario/job_settings.h"
#include "loom/scenario/profiled_job.h"

namespace loom::run {
namespace {

plan::JobSpec read_spec(const scenario::TrainingWork& work, const scenario::Scenario& scenario,
                        int devices) {
  plan::JobSpec spec =
      work.model ? scenario::read_job(work.settings, *work.model, *work.accelerator, devices)
                 : read_profiled_job(scenario, devices);
  spec.choice.search.seed = scenario.seed();
  spec.sharing = scenario.sharing();
  return spec;
}

plan::PlanRequest request_for(const scenario::TrainingWork& work,
                              const scenario::Scenario& scenario, const Fabric& fabric,
                              const plan::SearchOptions& options) {
  plan::PlanRequest request;
  request.spec = read_spec(work, scenario, fabric.devices());
  request.circuits = fabric.circuits();
  if (request.circuits == nullptr) {
    request.network = std::make_shared<fabric::Network>(*fabric.network());
  }
  request.confirm = scenario.engine() != scenario::Engine::coarse;
  request.max_messages = scenario.settings.integer("max_messages");
  request.folding = scenario.settings.boolean("folding");
  request.changes = [&](const fabric::Network& network) {
    return changes_on(network, scenario.changes);
  };
  request.search = options;
  return request;
}

// Throws the planner's objection as an error at the setting that it names: "fabric.KEY" or
// "workload.KEY".
[[noreturn]] void refuse(const scenario::Scenario& scenario, const Objection& objection) {
  const std::size_t dot = objection.key.find('.');
  const bool fabric = objection.key.substr(0, dot) == "fabric";
  (fabric ? scenario.fabric.settings : scenario.workload())
      .refuse(objection.key.substr(dot + 1), objection.text);
}

// Adds the network and circuits to a planned job. Circuits that change between phases or
// periodically are planned here, for the chosen strategy.
PlannedOrNot with_circuits(plan::PlannedTraining found, const Fabric& fabric, bool folding) {
  TrainingPlan training{std::move(found.choice), {}};
  plan::MappedJob& mapped = found.mapped;
  if (mapped.infeasible) return Unplanned{std::move(*mapped.infeasible), std::move(training)};
  PlannedWork planned;
  if (fabric.circuits() == nullptr) {
    planned.network = *fabric.network();
  } else if (fabric.circuits()->reconfigure == fabric::Reconfigure::phases) {
    plan::PhasedPlan phased =
        plan::plan_phases(*fabric.circuits(), mapped, found.other_algorithms, folding);
    mapped.lowered = std::move(phased.lowered);
    planned.network = std::move(phased.network);
    planned.circuits = PlannedCircuits{*fabric.circuits(), std::move(phased.provisioned),
                                       std::move(phased.phases)};
  } else if (fabric.circuits()->reconfigure == fabric::Reconfigure::periodic) {
    auto periodic = plan_periodic(*fabric.circuits(), mapped.lowered.workload, true);
    if (auto* no = std::get_if<Infeasible>(&periodic)) return Unplanned{*no, std::move(training)};
    auto& circuits = std::get<PeriodicCircuits>(periodic);
    planned.network = std::move(circuits.network);
    planned.circuits = std::move(circuits.circuits);
  } else {
    planned.network = *mapped.network;
    planned.circuits = PlannedCircuits{*fabric.circuits(), std::move(*mapped.provisioned), {}};
  }
  planned.workload = std::move(mapped.lowered.workload);
  training.lowered = std::move(mapped.lowered);
  planned.work = std::move(training);
  return planned;
}

}  // namespace

PlannedOrNot plan_training(const scenario::TrainingWork& work, const scenario::Scenario& scenario,
                           const Fabric& fabric, const plan::SearchOptions& options) {
  plan::PlanRequest request = request_for(work, scenario, fabric, options);
  const plan::Planner& planner = *request.spec.choice.planner;
  if (planner.objection != nullptr) {
    if (const auto no = planner.objection(request)) refuse(scenario, *no);
  }
  const bool folding = request.folding;
  return with_circuits(planner.plan(std::move(request)), fabric, folding);
}

}  // namespace loom::run
