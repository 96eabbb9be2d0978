// A job that runs alone, watched: what links carry, how long devices compute, and which part of it
// all is an iteration as it always comes.
#pragma once

#include <span>
#include <vector>

#include "loom/jobs/profile/profile_stages.h"
#include "loom/place/lower.h"
#include "loom/simulate/engine.h"

namespace loom {

// Both in the order of their times; a load only where it is another than before.
class RunRecorder final : public Observer {
 public:
  explicit RunRecorder(std::size_t links) : last_(links, 0) {}

  void compute(const ComputeRecord& it) override { computations.push_back(it); }
  void link_load(int link, Duration at, Bandwidth load) override;

  std::vector<LoadChange> changes;
  std::vector<ComputeRecord> computations;

 private:
  std::vector<std::int64_t> last_;  // by link
};

struct TimeWindow {
  Duration begin{0};
  Duration end{0};
};

// From the end of the iteration before the last to the end of the last. The first finds the network
// empty, so a run of several has a last one that is like all that would follow.
TimeWindow last_iteration(const LoweredJob& job, std::span<const Duration> operation_end);

}  // namespace loom
