// Use of a network of circuits with multi-hop forwarding: bandwidth tax, hops per byte, balance of
// link loads, and distance from a lower bound over all topologies.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loom/plan/topoopt/topology_bound.h"
#include "loom/run/plan.h"

namespace loom::run {

struct NetworkUse {
  double bandwidth_tax = 1;                               // bytes carried by links over bytes sent
  double mean_hops = 0;                                   // per byte
  std::vector<double> hop_shares;                         // fraction of bytes with 1, 2, … hops
  std::vector<std::pair<std::string, Bytes>> link_loads;  // percentiles over links: "p50"
  // Lower bound per iteration, averaged over the run; for the run if it is no training job. Only
  // if all servers have the same number of circuits.
  std::optional<plan::TopologyBound> bound;
  double over_bound = 0;  // completion time over the bound of the whole run
};

// Needs circuits that do not change, and a run that ended.
NetworkUse network_use(const Plan& plan, const simulate::Outcome& outcome);

}  // namespace loom::run
