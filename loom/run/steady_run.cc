#include "loom/run/steady_run.h"

#include <algorithm>
#include <cmath>

#include "loom/place/more_iterations.h"

namespace loom::run {
namespace {

constexpr double kSteady = 0.01;
constexpr int kMaxIterations = 8;

// The end of each iteration.
std::vector<TimePoint> iteration_ends(const place::LoweredJob& job,
                                      const std::vector<TimePoint>& operation_end) {
  std::vector<TimePoint> ends(static_cast<std::size_t>(job.iterations));
  for (std::size_t o = 0; o < operation_end.size(); ++o) {
    TimePoint& end = ends[static_cast<std::size_t>(job.tags[o].iteration)];
    end = std::max(end, operation_end[o]);
  }
  return ends;
}

bool may_repeat(const scenario::Scenario& scenario, const Plan& plan,
                const Replacements& replacements) {
  const auto* work = scenario.as<scenario::TrainingWork>();
  return work != nullptr && work->model && scenario.settings.real("jitter") == 0 &&
         plan.as<TrainingPlan>() != nullptr && !plan.circuits_change() && !replacements.trace &&
         !work->settings.given("iterations");
}

// The plan with twice as many iterations; nothing if they cannot be repeated.
std::optional<Plan> with_twice_the_iterations(Plan plan) {
  auto& training = std::get<TrainingPlan>(plan.work);
  auto more = more_iterations(plan.workload, training.lowered.tags, 2 * plan.iterations());
  if (!more) return std::nullopt;
  plan.workload = std::move(more->workload);
  training.lowered = std::move(*more);
  return plan;
}

bool steady(const Plan& plan, const simulate::Outcome& outcome) {
  return outcome.deadlock ||
         iteration_time(plan.as<TrainingPlan>()->lowered, outcome.operation_end).steady;
}

}  // namespace

IterationTime iteration_time(const place::LoweredJob& job,
                             const std::vector<TimePoint>& operation_end) {
  const std::vector<TimePoint> ends = iteration_ends(job, operation_end);
  const auto length = [&](std::size_t i) { return ends[i] - (i == 0 ? TimePoint() : ends[i - 1]); };
  const std::size_t last = ends.size() - 1;
  IterationTime found{length(last)};
  if (last == 0 || found.time.count() <= 0) return found;
  found.variation = std::abs(seconds(length(last - 1)) / seconds(found.time) - 1);
  found.steady = found.variation <= kSteady;
  const std::size_t half = ends.size() / 2;
  if (!found.steady && half > 1) {
    found.time = (ends[last] - ends[half - 1]) / static_cast<std::int64_t>(ends.size() - half);
  }
  return found;
}

SteadyRun simulate_until_steady(const scenario::Scenario& scenario, Plan plan,
                                const Replacements& replacements, const SimulateOptions& options) {
  Simulated simulated = simulate(scenario, plan, replacements, options);
  if (!may_repeat(scenario, plan, replacements)) return {std::move(plan), std::move(simulated)};
  while (!steady(plan, simulated.outcome) && plan.iterations() < kMaxIterations) {
    std::optional<Plan> more = with_twice_the_iterations(plan);
    if (!more || !affordable(scenario, more->workload, more->network)) break;
    plan = std::move(*more);
    simulated = simulate(scenario, plan, replacements, options);
  }
  return {std::move(plan), std::move(simulated)};
}

}  // namespace loom::run
