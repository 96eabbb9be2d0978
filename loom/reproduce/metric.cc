#include "loom/reproduce/metric.h"

#include <limits>

namespace loom::reproduce {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Measures that only one kind of work has.
double work_measure(const run::ColocatedReport& jobs, std::string_view name) {
  return name == "p99_iteration_seconds" ? seconds(jobs.spread.p99) : kNone;
}

double work_measure(const run::TrainingReport& job, std::string_view name) {
  if (name == "p99_iteration_seconds") return kNone;
  if (name == "training_seconds") {
    if (!job.training) return kNone;
    return static_cast<double>(job.training->iterations) * seconds(job.iteration_time);
  }
  if (name == "tflops_per_device") return job.flops_per_device / 1e12;
  if (name == "samples_per_second") return job.samples_per_second;
  if (name == "memory_gigabytes") return static_cast<double>(job.memory.total().count) / 1e9;
  return job.model_flops_share;
}

template <typename Kind>
double work_measure(const Kind&, std::string_view) {
  return kNone;
}

}  // namespace

double measure(const run::Report& report, std::string_view name) {
  if (!report.ended()) return kNone;
  if (name == "completion_seconds") return seconds(report.outcome.completion_time);
  if (name == "iteration_seconds") return seconds(report.time());
  if (name.starts_with("control_messages")) {
    if (!report.outcome.grants) return kNone;
    const auto messages = static_cast<double>(report.outcome.grants->messages());
    return name == "control_messages" ? messages : messages / report.devices;
  }
  return std::visit([&](const auto& work) { return work_measure(work, name); }, report.work);
}

}  // namespace loom::reproduce
