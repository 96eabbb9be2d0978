#include "loom/run/training_report.h"

#include <utility>

#include "loom/plan/split_moves.h"

namespace loom::run {
namespace {

// Adds the flops per second of an iteration that takes `seconds`, and their fraction of the peak.
void add_work(const TrainingPlan& job, double seconds, TrainingReport& result) {
  const double devices = job.strategy.devices();
  const auto precision = static_cast<std::size_t>(job.spec.job.precision);
  const auto peak = static_cast<double>(job.spec.accelerator.peak[precision].per_second);
  result.flops_per_device = job.done_flops / devices / seconds;
  result.model_flops_share = job.flops / devices / seconds / peak;
}

std::vector<SplitOperators> split_operators(const TrainingPlan& job) {
  std::vector<SplitOperators> all;
  for (std::size_t s = 0; !job.strategy.splits.empty() && s < parallelize::kSplitNames.size();
       ++s) {
    const auto split = static_cast<parallelize::OperatorSplit>(s);
    std::string names = plan::kinds_text(job.spec.model, job.strategy, split);
    if (!names.empty()) all.push_back({split, std::move(names)});
  }
  return all;
}

}  // namespace

TrainingReport training_report(const TrainingPlan& plan, bool links_change) {
  TrainingReport report;
  report.model = plan.spec.model.name;
  report.sample = plan.spec.model.sample;
  report.search = plan.search;
  report.memory_limit = plan.spec.accelerator.memory;
  report.memory_reserve = plan.spec.accelerator.memory_reserve;
  report.profiled = plan.spec.profile.has_value();
  report.links_change = links_change;
  return report;
}

void add_measurements(const TrainingPlan& plan, const workload::Workload& workload,
                      const Simulated& simulated, TrainingReport& report) {
  report.strategy = plan.strategy;
  report.waiting = plan.waiting;
  report.search_report = plan.search_report;
  const IterationTime time = iteration_time(plan.lowered, simulated.outcome.operation_end);
  report.iteration_time = time.time;
  report.iterations = plan.lowered.iterations;
  report.iteration_variation = time.steady ? 0 : time.variation;
  for (const parallelize::StageMemory& memory : plan.memory) {
    if (memory.total() > report.memory.total()) report.memory = memory;
  }
  report.batch = plan.spec.job.batch;
  report.chose_batch = plan.spec.any_batch;
  if (plan.spec.law) {
    report.training = time_to_accuracy(*plan.spec.law, report.batch, report.iteration_time);
    report.target = plan.spec.law->target;
  }
  const double elapsed = seconds(report.iteration_time);
  if (elapsed > 0) {
    report.samples_per_second = static_cast<double>(report.batch) / elapsed;
    report.tokens_per_second =
        report.samples_per_second * static_cast<double>(plan.spec.model.tokens);
    if (!report.profiled) add_work(plan, elapsed, report);
  }
  report.splits = split_operators(plan);
  report.algorithms = job_algorithms(plan.lowered, workload);
  report.explanation = explain(plan.lowered, workload, simulated.tasks);
}

std::string strategy_text(const TrainingReport& job) {
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

}  // namespace loom::run
