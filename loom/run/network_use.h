// Use of a network of circuits with multi-hop forwarding: bandwidth tax, hops per byte,
// distribution of link loads.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/run/plan.h"

namespace loom::run {

struct NetworkUse {
  double bandwidth_tax = 1;        // bytes carried by links over bytes sent
  double mean_hops = 0;            // per byte
  std::vector<double> hop_shares;  // fraction of bytes with 1, 2, … hops
  std::vector<std::pair<std::string, Bytes>>
      link_loads;  // bytes per link by percentile, such as "p50"
};

// Requires circuits that do not change, and a completed run.
NetworkUse network_use(const Plan& plan, const simulate::Outcome& outcome);

}  // namespace loom::run
