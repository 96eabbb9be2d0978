#include "loom/plan/auto_planner.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "loom/plan/circuits/circuit_phases.h"
#include "loom/plan/split_search.h"
#include "loom/plan/strategy_planner.h"

namespace loom::plan {
namespace {

bool changes_circuits(const PlanRequest& request) {
  return request.circuits != nullptr &&
         request.circuits->reconfigure == fabric::Reconfigure::phases;
}

// The iteration time of a plan as the fluid engine simulates it; nothing if that takes too many
// messages.
std::optional<Duration> simulated(const PlanRequest& request, const PlannedTraining& planned) {
  if (changes_circuits(request)) {
    return plan_phases(*request.circuits, planned.mapped, planned.other_algorithms, request.folding)
        .iteration;
  }
  const RankedStrategy& first = planned.choice.search.ranking.front();
  if (first.simulated.count() > 0) return first.simulated;
  return simulated_time(planned.mapped, confirmation_of(request));
}

// Simulated times of the iterations of all plans; predicted ones unless all can be simulated.
std::vector<Duration> iteration_times(const PlanRequest& request,
                                      const std::vector<PlannedTraining>& plans) {
  std::vector<Duration> times;
  for (const PlannedTraining& it : plans) {
    const std::optional<Duration> time =
        request.confirm ? simulated(request, it) : std::optional<Duration>();
    if (!time) break;
    times.push_back(*time);
  }
  if (times.size() == plans.size()) return times;
  times.clear();
  for (const PlannedTraining& it : plans) {
    times.push_back(it.choice.search.ranking.front().predicted);
  }
  return times;
}

std::size_t fastest(const PlanRequest& request, const std::vector<PlannedTraining>& plans) {
  if (plans.size() == 1) return 0;
  std::size_t best = 0;
  double lowest = 0;
  const std::vector<Duration> times = iteration_times(request, plans);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const JobSpec& spec = plans[i].choice.spec;
    const double iterations =
        spec.any_batch ? static_cast<double>(iterations_to_accuracy(*spec.law, spec.job.batch)) : 1;
    const double all = seconds(times[i]) * iterations;
    if (i > 0 && all >= lowest) continue;
    best = i;
    lowest = all;
  }
  return best;
}

// Adds the candidates of another planner for the same batch behind the chosen strategy.
void add_candidates(const TrainingChoice& other, TrainingChoice& chosen) {
  StrategySearch& search = chosen.search;
  if (!search.objection) search.objection = other.search.objection;
  if (!search.smallest) search.smallest = other.search.smallest;
  if (other.spec.job.batch != chosen.spec.job.batch) return;
  search.possible += other.search.possible;
  search.estimated += other.search.estimated;
  search.ranking.insert(search.ranking.end(), other.search.ranking.begin(),
                        other.search.ranking.end());
  if (search.ranking.size() < 2) return;
  std::stable_sort(search.ranking.begin() + 1, search.ranking.end(), faster);
}

PlannedTraining planned_by(const Planner& planner, const PlanRequest& request) {
  PlanRequest own = request;
  own.spec.choice.planner = &planner;
  return planner.plan(std::move(own));
}

}  // namespace

// Adds the plan that improves the uniform one operator by operator.
void add_splits(const PlanRequest& request, std::vector<PlannedTraining>& plans) {
  PlanRequest own = request;
  const TrainingChoice& uniform = plans.front().choice;
  own.spec.choice.planner = &kUniformPlanner;
  own.spec.job.batch = uniform.spec.job.batch;
  const Providers providers = providers_of(own);
  StrategySearch found = search_splits(own.spec, *providers.searching, uniform.search, own.search);
  if (found.ranking.empty()) return;
  PlannedTraining planned = plan_ranked(std::move(own), providers, std::move(found));
  if (!planned.mapped.infeasible) plans.push_back(std::move(planned));
}

PlannedTraining plan_fastest(PlanRequest request) {
  std::vector<PlannedTraining> plans;
  std::vector<PlannedTraining> refused;
  for (const Planner* planner : {&kUniformPlanner, &kOperatorsPlanner}) {
    if (request.spec.profile && planner->uniform) continue;
    PlannedTraining planned = planned_by(*planner, request);
    (planned.mapped.infeasible ? refused : plans).push_back(std::move(planned));
  }
  if (!plans.empty() && !request.spec.profile) add_splits(request, plans);
  std::vector<PlannedTraining>& all = plans.empty() ? refused : plans;
  const std::size_t best = plans.empty() ? 0 : fastest(request, plans);
  PlannedTraining chosen = std::move(all[best]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != best) add_candidates(all[i].choice, chosen.choice);
  }
  chosen.choice.spec.choice.planner = request.spec.choice.planner;
  if (plans.empty()) return chosen;
  for (const PlannedTraining& it : refused) add_candidates(it.choice, chosen.choice);
  return chosen;
}

}  // namespace loom::plan
