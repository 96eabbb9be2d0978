#include "loom/plan/bounds/partition_bound.h"

#include "loom/model/operator_time.h"

namespace loom::plan {

Duration bound_of_any_partition(const JobSpec& spec, int devices) {
  if (spec.profile || !spec.measured.empty() || devices < 1) return Duration(0);
  double sum = 0;
  double parameters = 0;
  for (const model::Operator& it : spec.model.operators) {
    sum += min_operator_seconds(it, spec.job.batch, spec.accelerator, spec.job.precision);
    if (it.tables == 0) parameters += static_cast<double>(it.parameters);
  }
  sum += seconds(update_time(spec.job, spec.accelerator, parameters) - spec.accelerator.launch);
  constexpr double kRoundedDown = 1 - 1e-9;
  return Duration(static_cast<std::int64_t>(sum / devices * 1e12 * kRoundedDown));
}

}  // namespace loom::plan
