#include "loom/jobs/profile/recorded_run.h"

#include <algorithm>

#include "loom/jobs/contention/iteration_times.h"

namespace loom::jobs {

void RunRecorder::link_load(LinkId link, TimePoint at, Bandwidth load) {
  std::int64_t& last = last_[static_cast<std::size_t>(link)];
  if (last == load.bits_per_second) return;
  last = load.bits_per_second;
  changes.push_back({at, link, load});
}

TimeWindow last_iteration(const place::LoweredJob& job, std::span<const TimePoint> operation_end) {
  const TimePoint end = *std::max_element(operation_end.begin(), operation_end.end());
  return {end - iteration_times(job, operation_end, TimePoint()).back(), end};
}

}  // namespace loom::jobs
