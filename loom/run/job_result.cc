#include "loom/run/job_result.h"

namespace loom {
namespace {

// In an iteration of so many seconds.
void add_work(const PreparedJob& job, double seconds, JobResult& result) {
  const double devices = job.strategy.devices();
  const auto precision = static_cast<std::size_t>(job.spec.job.precision);
  const auto peak = static_cast<double>(job.spec.accelerator.peak[precision].per_second);
  result.flops_per_device = job.done_flops / devices / seconds;
  result.model_flops_share = job.flops / devices / seconds / peak;
}

}  // namespace

JobResult job_result(const Prepared& prepared, const Outcome& outcome, const RankTaskLog& log) {
  const PreparedJob& job = *prepared.job;
  JobResult result;
  result.model = job.spec.model.name;
  result.sample = job.spec.model.sample;
  result.search = job.search;
  result.memory_limit = job.spec.accelerator.memory;
  result.profiled = job.spec.profile.has_value();
  result.links_change = !prepared.changes.empty();
  if (!prepared.infeasible.empty() || outcome.deadlock) return result;
  result.strategy = job.strategy;
  result.search_report = job.search_report;
  result.iteration_time = iteration_time(job.lowered, outcome.operation_end);
  for (const StageMemory& memory : job.memory) {
    if (memory.total() > result.memory.total()) result.memory = memory;
  }
  result.batch = job.spec.job.batch;
  result.chose_batch = job.spec.any_batch;
  if (job.spec.law) {
    result.training = time_to_accuracy(*job.spec.law, result.batch, result.iteration_time);
    result.target = job.spec.law->target;
  }
  const double elapsed = seconds(result.iteration_time);
  const auto batch = static_cast<double>(job.spec.job.batch);
  if (elapsed > 0) {
    result.samples_per_second = batch / elapsed;
    result.tokens_per_second =
        result.samples_per_second * static_cast<double>(job.spec.model.tokens);
    if (!result.profiled) add_work(job, elapsed, result);
  }
  result.explanation = explain(job.lowered, prepared.workload, log);
  return result;
}

std::string strategy_text(const JobResult& job) {
  return job.search_report ? job.search_report->summary : to_text(job.strategy);
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
