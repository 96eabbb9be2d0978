#include "loom/plan/mapped_job.h"

#include <algorithm>

#include "loom/simulate/engine.h"

namespace loom::plan {

Duration predicted_time(const MappedJob& job) {
  simulate::EngineOptions options;
  options.isolated = job.times;
  options.sharing = job.sharing;
  return iteration_time(
      job.lowered,
      simulate::simulate_coarse(job.lowered.workload, *job.network, options).operation_end);
}

Duration iteration_time(const place::LoweredJob& job, const std::vector<TimePoint>& operation_end) {
  TimePoint last;
  TimePoint before;
  for (std::size_t o = 0; o < operation_end.size(); ++o) {
    if (job.tags[o].iteration == job.iterations - 1) last = std::max(last, operation_end[o]);
    if (job.tags[o].iteration == job.iterations - 2) before = std::max(before, operation_end[o]);
  }
  return last - before;
}

}  // namespace loom::plan
