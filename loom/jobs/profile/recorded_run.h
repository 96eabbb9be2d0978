// Records an isolated run of a job: link loads, computation times, and the window of one
// steady-state iteration.
#pragma once

#include <span>
#include <vector>

#include "loom/jobs/profile/profile_stages.h"
#include "loom/place/lower.h"
#include "loom/simulate/engine.h"

namespace loom::jobs {

// Records are sorted by time; a load equal to the link's previous load is dropped.
class RunRecorder final : public simulate::Observer {
 public:
  explicit RunRecorder(std::size_t links) : last_(links, 0) {}

  void compute(const simulate::ComputeRecord& it) override { computations.push_back(it); }
  void link_load(LinkId link, TimePoint at, Bandwidth load) override;

  std::vector<LoadChange> changes;
  std::vector<simulate::ComputeRecord> computations;

 private:
  std::vector<std::int64_t> last_;  // last load per link
};

struct TimeWindow {
  TimePoint begin;
  TimePoint end;
};

// The window from the end of the second-to-last iteration to the end of the last. The first
// iteration starts on an idle network; the last represents the steady state.
TimeWindow last_iteration(const place::LoweredJob& job, std::span<const TimePoint> operation_end);

}  // namespace loom::jobs
