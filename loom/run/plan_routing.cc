#include "loom/run/plan_routing.h"

#include <algorithm>

#include "loom/run/steady_run.h"

namespace loom::run {
namespace {

// The iteration time of a training job, or the completion time of other work.
Duration simulated_time(const scenario::Scenario& scenario, const Plan& plan,
                        const Replacements& replacements) {
  const simulate::Outcome outcome = simulate(scenario, plan, replacements, {}).outcome;
  if (outcome.deadlock) return kForever;
  const auto* training = plan.as<TrainingPlan>();
  return training == nullptr ? outcome.completion_time
                             : iteration_time(training->lowered, outcome.operation_end).time;
}

}  // namespace

PlanOrNot plan_by_routing(const scenario::Scenario& scenario, const Inputs& inputs,
                          const Fabric& fabric, const Replacements& replacements,
                          const plan::SearchOptions& options) {
  Replacements simulated = replacements;
  simulated.trace.reset();
  std::optional<PlanOrNot> best;
  std::vector<RoutingTime> times;
  for (const RoutedNetwork& it : fabric.routings) {
    PlanOrNot planned = plan(scenario, inputs, Fabric{it.network, {}}, replacements, options);
    const Plan* feasible = std::get_if<Plan>(&planned);
    if (feasible == nullptr) {
      if (!best) best = std::move(planned);
      continue;
    }
    const Duration time = simulated_time(scenario, *feasible, simulated);
    const bool fastest = std::all_of(times.begin(), times.end(),
                                     [&](const RoutingTime& other) { return time < other.time; });
    times.push_back({it.routing, time});
    if (fastest) best = std::move(planned);
  }
  if (Plan* plan = std::get_if<Plan>(&*best)) {
    std::stable_sort(times.begin(), times.end(),
                     [](const RoutingTime& a, const RoutingTime& b) { return a.time < b.time; });
    plan->routings = std::move(times);
  }
  return *std::move(best);
}

}  // namespace loom::run
