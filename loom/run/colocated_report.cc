#include "loom/run/colocated_report.h"

#include <algorithm>
#include <numeric>

namespace loom::run {

namespace {

std::span<const TimePoint> ends_of(std::size_t job, const ColocatedPlan& plan,
                                   const simulate::Outcome& outcome) {
  return {outcome.operation_end.data() + plan.first[job], plan.first[job + 1] - plan.first[job]};
}

// The end of the job that ends first.
TimePoint first_end_of(const ColocatedPlan& plan, const simulate::Outcome& outcome) {
  TimePoint first = TimePoint::max();
  for (std::size_t j = 0; j < plan.jobs.size(); ++j) {
    const std::span<const TimePoint> ends = ends_of(j, plan, outcome);
    first = std::min(first, *std::max_element(ends.begin(), ends.end()));
  }
  return first;
}

// The number of iterations that end by `end`, or 1 if none does.
std::size_t iterations_until(TimePoint end, TimePoint start, const std::vector<Duration>& times) {
  std::size_t count = 0;
  TimePoint now = start;
  for (; count < times.size(); ++count) {
    now += times[count];
    if (now > end) break;
  }
  return std::max<std::size_t>(count, 1);
}

std::vector<Duration> first_of(const std::vector<Duration>& times, std::size_t count) {
  return {times.begin(), times.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

double SharedJob::slowdown() const {
  return isolated.count() == 0
             ? 1.0
             : static_cast<double>(spread.mean.count()) / static_cast<double>(isolated.count());
}

ColocatedReport colocated_report(const ColocatedPlan& plan, const simulate::Outcome& outcome,
                                 const simulate::EngineOptions& engine, int threads) {
  const std::vector<std::vector<Duration>> isolated = isolated_times(plan.jobs, engine, threads);
  const TimePoint first_end = first_end_of(plan, outcome);
  ColocatedReport result;
  result.placement = plan.placement;
  std::vector<std::vector<Duration>> all;
  double slowdowns = 0;
  for (std::size_t j = 0; j < plan.jobs.size(); ++j) {
    const jobs::PlannedJob& from = plan.jobs[j];
    const std::span<const TimePoint> ends = ends_of(j, plan, outcome);
    SharedJob job;
    job.name = from.name;
    job.model = from.plan->spec.model.name;
    job.strategy = from.plan->strategy;
    job.batch = from.plan->spec.job.batch;
    job.devices = from.devices;
    job.start = from.start;
    job.end = elapsed(*std::max_element(ends.begin(), ends.end()));
    job.times = jobs::iteration_times(from.plan->mapped.lowered, ends, TimePoint(from.start));
    job.counted = iterations_until(first_end, TimePoint(from.start), job.times);
    const std::vector<Duration> counted = first_of(job.times, job.counted);
    const Duration all_run = std::max(Duration(0), first_end - TimePoint(from.start));
    const Duration span = std::accumulate(counted.begin(), counted.end(), Duration(0));
    if (all_run < span) job.together = seconds(all_run) / seconds(span);
    job.spread = jobs::spread_of(counted);
    job.isolated = jobs::spread_of(first_of(isolated[j], job.counted)).mean;
    job.memory = from.plan->memory;
    slowdowns += job.slowdown();
    all.push_back(counted);
    result.jobs.push_back(std::move(job));
    if (result.jobs[result.slowest].spread.mean < result.jobs[j].spread.mean) result.slowest = j;
    if (result.jobs[result.worst].slowdown() < result.jobs[j].slowdown()) result.worst = j;
  }
  result.spread = jobs::spread_of(all);
  result.mean_slowdown = slowdowns / static_cast<double>(result.jobs.size());
  return result;
}

}  // namespace loom::run
