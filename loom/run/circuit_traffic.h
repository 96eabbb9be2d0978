// The bytes on every circuit by kind of traffic: for a training job the parallelism that sends
// them, forward or backward; for jobs that share a cluster, the job.
//
// Follows the demand of each kind over the routes that the engine takes, so the kinds of a link add
// up to its bytes. Where circuits change periodically, routes depend on time: the bytes of a link
// are then divided like the demand between its ends, which is exact unless traffic is forwarded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loom/run/plan.h"

namespace loom::run {

struct TrafficKind {
  std::string name;           // "tensor forward", the name of a job, …
  std::string_view category;  // purpose of a training job's traffic; empty for other work
};

// Bytes carried from one device to another over their circuits.
struct PairLoad {
  int from = 0;
  int to = 0;
  std::vector<double> bytes;  // per kind

  double total() const;
};

struct CircuitTraffic {
  std::vector<TrafficKind> kinds;
  // With `reconfigure: phases` one list per set of circuits, else one. Sorted by (from, to).
  std::vector<std::vector<PairLoad>> loads;
  bool estimated = false;  // the division among kinds is not exact
};

// Requires a plan with circuits, and the bytes per link of its run.
CircuitTraffic circuit_traffic(const Plan& plan, const std::vector<Bytes>& link_bytes);

}  // namespace loom::run
