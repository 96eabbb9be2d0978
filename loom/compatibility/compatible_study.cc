#include "loom/compatibility/compatible_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "loom/jobs/cassini/circle_periods.h"
#include "loom/jobs/cassini/drifting_score.h"
#include "loom/jobs/contention/periodic_run.h"
#include "loom/jobs/profile/traced_profile.h"
#include "loom/run/plan.h"

namespace loom::compatibility {
namespace {

Duration mean_of(const std::vector<Duration>& times) {
  if (times.empty()) return Duration(0);
  Int128 sum = 0;
  for (const Duration it : times) sum += it.count();
  return Duration(static_cast<std::int64_t>(sum / static_cast<Int128>(times.size())));
}

// The predicted mean iteration time of each job under fair sharing, with these start times.
std::vector<Duration> predicted(const jobs::SharedProfiles& profiles,
                                const std::vector<Duration>& starts, int iterations) {
  jobs::PeriodicOptions options;
  options.starts = starts;
  options.iterations = iterations;
  const jobs::PeriodicRun run = run_periodic(profiles, options);
  std::vector<Duration> means;
  for (const jobs::PeriodicJobRun& job : run.jobs) means.push_back(mean_of(job.iteration_times()));
  return means;
}

// Reduces the budget of each search to a fortieth: looking for paddings means one search for each
// of many sets of periods, and the result is only a suggestion.
jobs::ShiftSearchOptions shorter(jobs::ShiftSearchOptions search) {
  constexpr int kBudgetDivisor = 40;
  search.nodes = std::max<std::int64_t>(search.nodes / kBudgetDivisor, 1);
  search.seconds /= kBudgetDivisor;
  search.slack = false;
  return search;
}

double mean_slowdown(const std::vector<Duration>& times, const std::vector<Duration>& isolated) {
  double sum = 0;
  for (std::size_t j = 0; j < times.size(); ++j) {
    sum += static_cast<double>(times[j].count()) / static_cast<double>(isolated[j].count());
  }
  return times.empty() ? 1 : sum / static_cast<double>(times.size());
}

// Keeps the paddings that shorten iterations. A better score alone does not imply that: the added
// idle time lowers the mean excess demand, but also lengthens the iterations.
std::vector<WorthyPadding> that_shorten(std::vector<jobs::PaddedPeriods> paddings,
                                        const CompatibleResult& result, int iterations) {
  std::vector<WorthyPadding> worth;
  double lowest = mean_slowdown(result.times_after, result.isolated);
  for (jobs::PaddedPeriods& it : paddings) {
    const jobs::SharedProfiles longer = padded(result.profiles, it.periods);
    const double slowdown =
        mean_slowdown(predicted(longer, it.found.shifts, iterations), result.isolated);
    if (slowdown >= lowest) continue;
    lowest = slowdown;
    worth.push_back({std::move(it), slowdown});
  }
  return worth;
}

}  // namespace

jobs::SharedProfiles profiles_of(const scenario::Scenario& scenario, int threads) {
  if (scenario.as<scenario::ColocatedWork>() == nullptr) {
    throw InputError(scenario.location(),
                     "the scenario has no jobs; a list of jobs that share its fabric is needed");
  }
  const run::Plan plan = run::plan_or_refuse(scenario, {}, {threads, {}});
  simulate::EngineOptions engine;
  engine.sharing = scenario.sharing();
  engine.seed = scenario.seed();
  const std::vector<jobs::PlannedJob>& jobs = plan.as<run::ColocatedPlan>()->jobs;
  jobs::SharedProfiles profiles = traced_profiles(jobs, plan.network, engine, threads);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    profiles.jobs[j] = delayed(profiles.jobs[j], jobs[j].start);
  }
  return profiles;
}

CompatibleResult compatible(jobs::ProfileFile file, const CompatibleOptions& options) {
  CompatibleResult result;
  result.profiles = std::move(file.profiles);
  result.learned = std::move(file.learned);
  const std::vector<Duration> together(result.profiles.jobs.size(), Duration(0));
  result.before = score_of(result.profiles, together, options.search);
  result.best = best_shifts(result.profiles, options.search);
  if (result.best.rounding > 0) {
    result.drifting = drifting_score(result.profiles, result.best.shifts);
    result.drifting_before = drifting_score(result.profiles, together);
  }
  result.jittered =
      score_under_jitter(result.profiles, result.best.shifts, options.jitter, options.search);
  result.jittered_before =
      score_under_jitter(result.profiles, together, options.jitter, options.search);
  for (const jobs::JobProfile& it : result.profiles.jobs) result.isolated.push_back(it.period());
  result.times_before = predicted(result.profiles, together, options.iterations);
  result.times_after = predicted(result.profiles, result.best.shifts, options.iterations);
  if (options.angles > 0) {
    result.grid = best_shifts_on_grid(result.profiles, options.angles, options.search);
  }
  if (options.max_idle > 0) {
    result.padding = that_shorten(padding_worth_its_time(result.profiles, options.max_idle,
                                                         shorter(options.search), options.threads),
                                  result, options.iterations);
  }
  return result;
}

report::CirclePicture picture_of(const CompatibleResult& result, const std::string& title) {
  report::CirclePicture picture;
  picture.title = title;
  picture.profiles = reckoned(result.profiles, result.best.periods);
  picture.before.assign(result.profiles.jobs.size(), Duration(0));
  picture.after = result.best.shifts;
  picture.score_before = result.before.link_scores;
  picture.score_after = result.best.link_scores;
  return picture;
}

}  // namespace loom::compatibility
