#include "loom/run/simulate_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "loom/base/files.h"
#include "loom/fabric/circuits/control/periodic.h"
#include "loom/fabric/circuits/control/phased.h"
#include "loom/run/plan_training.h"
#include "loom/run/trace/timeline.h"
#include "loom/run/trace/trace.h"

namespace loom::run {
namespace {

// Forwards every record to several observers.
class Observers : public simulate::Observer {
 public:
  void add(simulate::Observer* observer) {
    if (observer != nullptr) observers_.push_back(observer);
  }
  simulate::Observer* one() { return observers_.empty() ? nullptr : this; }
  void message(const simulate::MessageRecord& record) override {
    for (simulate::Observer* it : observers_) it->message(record);
  }
  void compute(const simulate::ComputeRecord& record) override {
    for (simulate::Observer* it : observers_) it->compute(record);
  }
  void link_load(LinkId link, TimePoint at, Bandwidth load) override {
    for (simulate::Observer* it : observers_) it->link_load(link, at, load);
  }
  bool wants_each() const override {
    return std::any_of(observers_.begin(), observers_.end(),
                       [](const simulate::Observer* it) { return it->wants_each(); });
  }
  bool wants_tasks() const override {
    return std::any_of(observers_.begin(), observers_.end(),
                       [](const simulate::Observer* it) { return it->wants_tasks(); });
  }
  void task(const simulate::RankTaskRecord& record) override {
    for (simulate::Observer* it : observers_) it->task(record);
  }
  void equivalent(std::span<const DeviceId> representatives) override {
    for (simulate::Observer* it : observers_) it->equivalent(representatives);
  }

 private:
  std::vector<simulate::Observer*> observers_;
};

// The control that changes circuits while the engine runs, and records the changes if there is a
// history; nullptr if circuits do not change.
std::unique_ptr<fabric::Control> control_of(const Plan& plan, CircuitHistory* history) {
  if (!plan.circuits) return nullptr;
  const PlannedCircuits& it = *plan.circuits;
  if (!it.changes()) return nullptr;
  if (it.phases && history != nullptr) {
    return std::make_unique<RecordedControl<fabric::PhasedControl>>(
        *history, it.fabric, plan.network, it.phases->sets, it.phases->set_of);
  }
  if (it.phases) {
    return std::make_unique<fabric::PhasedControl>(it.fabric, plan.network, it.phases->sets,
                                                   it.phases->set_of);
  }
  if (history != nullptr) {
    return std::make_unique<RecordedControl<fabric::PeriodicControl>>(
        *history, it.fabric, plan.network, it.provisioned.circuits);
  }
  return std::make_unique<fabric::PeriodicControl>(it.fabric, plan.network,
                                                   it.provisioned.circuits);
}

// Refuses a trace or timeline that this run cannot record.
void check_records(const scenario::Scenario& scenario, const Plan& plan, bool training) {
  if (plan.engine == scenario::Engine::coarse) {
    scenario.settings.refuse("engine", "fluid is needed for a trace or timeline");
  }
  if (scenario.engine() == scenario::Engine::automatic && training &&
      message_count(plan.workload) > scenario.settings.integer("max_messages")) {
    scenario.settings.refuse(
        "max_messages", fmt::format("a trace or timeline would have {} messages; engine: fluid, or "
                                    "as many messages, are needed",
                                    message_count(plan.workload)));
  }
}

simulate::Outcome recorded_outcome(const std::string& path, const Plan& plan, bool records) {
  const SourceLocation location = location_of("--from trace=" + path);
  if (records) {
    throw InputError(location,
                     "a trace or timeline is requested, which needs a run instead of this file");
  }
  return read_trace(read_file(path, location), path, plan.workload);
}

}  // namespace

simulate::EngineOptions engine_options(const scenario::Scenario& scenario) {
  simulate::EngineOptions engine;
  engine.sharing = scenario.sharing();
  engine.jitter = scenario.settings.real("jitter");
  engine.seed = scenario.seed();
  engine.folding = scenario.settings.boolean("folding");
  return engine;
}

Simulated simulate(const scenario::Scenario& scenario, const Plan& plan,
                   const Replacements& replacements, const SimulateOptions& options) {
  const bool records = options.trace != nullptr || !options.timeline.empty();
  if (replacements.trace) return {recorded_outcome(*replacements.trace, plan, records), {}, {}};
  const bool training = plan.as<TrainingPlan>() != nullptr;
  if (records) check_records(scenario, plan, training);
  std::optional<Timeline> timeline;
  std::optional<TraceWriter> trace;
  Simulated simulated;
  Observers observers;
  if (!options.timeline.empty()) {
    observers.add(&timeline.emplace(options.timeline, plan.workload, plan.network));
  }
  if (options.trace != nullptr) observers.add(&trace.emplace());
  if (training) observers.add(&simulated.tasks);
  const std::unique_ptr<fabric::Control> control =
      control_of(plan, options.circuit_history ? &simulated.history : nullptr);
  simulate::EngineOptions engine = engine_options(scenario);
  engine.observer = observers.one();
  engine.progress = options.progress;
  engine.control = control.get();
  simulated.outcome = plan.engine == scenario::Engine::fluid
                          ? simulate_fluid(plan.workload, plan.network, plan.changes, engine)
                          : simulate_coarse(plan.workload, plan.network, engine);
  if (timeline) timeline->finish();
  if (trace) *options.trace = trace->text();
  return simulated;
}

}  // namespace loom::run
