#include "loom/reproduce/metric.h"

#include <limits>

namespace loom::reproduce {

double measure(const run::Report& report, std::string_view name) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (!report.ended()) return kNone;
  if (name == "completion_seconds") return seconds(report.outcome.completion_time);
  if (name == "iteration_seconds") return seconds(report.time());
  if (name.starts_with("control_messages")) {
    if (!report.outcome.grants) return kNone;
    const auto messages = static_cast<double>(report.outcome.grants->messages());
    return name == "control_messages" ? messages : messages / report.devices;
  }
  if (name == "p99_iteration_seconds") {
    const auto* colocated = report.as<run::ColocatedReport>();
    return colocated != nullptr ? seconds(colocated->spread.p99) : kNone;
  }
  const run::TrainingReport* job = report.trained();
  if (job == nullptr) return kNone;
  if (name == "training_seconds") {
    if (!job->training) return kNone;
    return static_cast<double>(job->training->iterations) * seconds(report.time());
  }
  if (name == "tflops_per_device") return job->flops_per_device / 1e12;
  if (name == "samples_per_second") return job->samples_per_second;
  if (name == "memory_gigabytes") {
    return static_cast<double>(job->memory.total().count) / 1e9;
  }
  return job->model_flops_share;
}

}  // namespace loom::reproduce
