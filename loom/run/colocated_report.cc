#include "loom/run/colocated_report.h"

#include <algorithm>

namespace loom::run {

double SharedJob::slowdown() const {
  return isolated.count() == 0
             ? 1.0
             : static_cast<double>(spread.mean.count()) / static_cast<double>(isolated.count());
}

ColocatedReport colocated_report(const ColocatedPlan& plan, const simulate::Outcome& outcome,
                                 const simulate::EngineOptions& engine, int threads) {
  const std::vector<std::vector<Duration>> isolated = isolated_times(plan.jobs, engine, threads);
  ColocatedReport result;
  result.placement = plan.placement;
  std::vector<std::vector<Duration>> all;
  double slowdowns = 0;
  for (std::size_t j = 0; j < plan.jobs.size(); ++j) {
    const jobs::PlannedJob& from = plan.jobs[j];
    const std::span<const TimePoint> ends = {outcome.operation_end.data() + plan.first[j],
                                             plan.first[j + 1] - plan.first[j]};
    SharedJob job;
    job.name = from.name;
    job.model = from.plan->spec.model.name;
    job.strategy = from.plan->strategy;
    job.batch = from.plan->spec.job.batch;
    job.devices = from.devices;
    job.start = from.start;
    job.end = elapsed(*std::max_element(ends.begin(), ends.end()));
    job.times = jobs::iteration_times(from.plan->mapped.lowered, ends, TimePoint(from.start));
    job.spread = jobs::spread_of(job.times);
    job.isolated = jobs::spread_of(isolated[j]).mean;
    job.memory = from.plan->memory;
    slowdowns += job.slowdown();
    all.push_back(job.times);
    result.jobs.push_back(std::move(job));
    if (result.jobs[result.slowest].spread.mean < result.jobs[j].spread.mean) result.slowest = j;
    if (result.jobs[result.worst].slowdown() < result.jobs[j].slowdown()) result.worst = j;
  }
  result.spread = jobs::spread_of(all);
  result.mean_slowdown = slowdowns / static_cast<double>(result.jobs.size());
  return result;
}

}  // namespace loom::run
