// One iteration as lanes of spans: what a device computes and what it communicates, at a width that
// can be drawn.
#pragma once

#include <string>
#include <vector>

#include "loom/run/explain.h"

namespace loom {

struct LaneSpan {
  Duration from{0};
  Duration to{0};
  std::string name;
  Purpose purpose = Purpose::compute;
};

struct Lane {
  std::string name;
  std::vector<LaneSpan> spans;  // by time
};

// Two lanes for the first device of each stage, of the first few stages. Spans of one name that
// nearly touch are one.
std::vector<Lane> iteration_lanes(const LoweredJob& job, const Workload& workload,
                                  const std::vector<RankTaskRecord>& tasks,
                                  const Explanation& explanation);

}  // namespace loom
