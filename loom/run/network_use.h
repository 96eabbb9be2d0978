// How a workload used a network of circuits on which devices forward for each other: what that
// costs, how far bytes went, how evenly links were loaded, and how far all of it is from what no
// topology can beat.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loom/plan/topoopt/topology_bound.h"
#include "loom/run/plan.h"

namespace loom {

struct NetworkUse {
  double bandwidth_tax = 1;        // bytes carried by links over bytes asked for
  double mean_hops = 0;            // of a byte
  std::vector<double> hop_shares;  // of the bytes, by links on their way: one, two, …
  std::vector<std::pair<std::string, Bytes>> link_loads;  // percentiles over links: "p50"
  // Of an iteration in the mean of the run, or of the run where it is no job; where servers have
  // equally many circuits.
  std::optional<TopologyBound> bound;
  double over_bound = 0;  // completion time over that of the whole run
};

// Of circuits that stay, and of an outcome that is one.
NetworkUse network_use(const Prepared& prepared, const Outcome& outcome);

}  // namespace loom
