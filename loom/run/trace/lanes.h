// One iteration for display: lanes of spans, one lane for the computation and one for the
// communication of a device, at the resolution of a screen.
#pragma once

#include <string>
#include <vector>

#include "loom/run/trace/explain.h"

namespace loom::run {

struct LaneSpan {
  TimePoint from;
  TimePoint to;
  std::string name;
  place::Purpose purpose = place::Purpose::compute;
};

struct Lane {
  std::string name;
  std::vector<LaneSpan> spans;  // in time order
};

// Returns lanes for the first device of each stage, up to a maximum number of stages: one for its
// computation and, if it communicates, one for its communication. Merges adjacent spans with the
// same name.
std::vector<Lane> iteration_lanes(const place::LoweredJob& job, const workload::Workload& workload,
                                  const std::vector<simulate::RankTaskRecord>& tasks,
                                  const Explanation& explanation);

}  // namespace loom::run
