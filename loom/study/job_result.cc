#include "loom/study/job_result.h"

namespace loom {

JobResult job_result(const Prepared& prepared, const Outcome& outcome, const PartLog& log) {
  const PreparedJob& job = *prepared.job;
  JobResult result;
  result.model = job.spec.model.name;
  result.sample = job.spec.model.sample;
  result.search = job.search;
  result.infeasible = job.infeasible;
  result.memory_limit = job.spec.accelerator.memory;
  if (!result.infeasible.empty() || outcome.deadlock) return result;
  result.strategy = job.sharded.strategy;
  result.iteration_time = iteration_time(job.lowered, outcome.operation_end);
  for (const StageMemory& memory : job.sharded.memory) {
    if (memory.total() > result.memory.total()) result.memory = memory;
  }
  const double seconds = static_cast<double>(result.iteration_time.count()) / 1e12;
  const auto batch = static_cast<double>(job.spec.job.batch);
  const double devices = job.sharded.strategy.devices();
  if (seconds > 0) {
    result.samples_per_second = batch / seconds;
    result.tokens_per_second =
        result.samples_per_second * static_cast<double>(job.spec.model.tokens);
    result.flops_per_device = job.sharded.done_flops / devices / seconds;
    const auto precision = static_cast<std::size_t>(job.spec.job.precision);
    const auto peak = static_cast<double>(job.spec.accelerator.peak[precision].per_second);
    result.model_flops_share = job.sharded.flops / devices / seconds / peak;
  }
  result.explanation = explain(job.lowered, prepared.workload, log.parts());
  return result;
}

std::vector<TimeShare> exposed(const Explanation& explanation) {
  std::vector<TimeShare> shares;
  if (explanation.stages.empty()) return shares;
  for (const TimeShare& it : explanation.stages[explanation.busiest].shares) {
    if (it.name != "compute" && it.name != "optimizer") shares.push_back(it);
  }
  return shares;
}

}  // namespace loom
