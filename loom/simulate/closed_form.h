// Closed-form time of a collective: α (latency) and β (bytes), with contention among the
// collective's own messages on every link they cross.
//
// A message takes α, the latency of its route, plus τ, the time the busiest link of the route needs
// for what all channels send over it at once. In a ring of s steps and c chunks a block crosses s
// channels in a row: the largest such sum of α+τ, then the remaining chunks at the pace of the
// slowest τ; or α + s·c·τ of the busiest channel, if longer. With identical channels that is
// (s-1) · max(c·τ, α+τ) + α + c·τ, without chunks s · (α + τ). Other phases: the longest chain of
// channels, each under the contention of its level of the graph, then the remaining chunks at the
// pace of the busiest link.
#pragma once

#include <utility>
#include <vector>

#include "loom/fabric/network/network.h"
#include "loom/workload/schedule.h"
#include "loom/workload/workload.h"

namespace loom::simulate {

// Bytes times share, per link.
using LinkLoads = std::vector<Int128>;

// The time in which all groups run the collective concurrently. Adds each link's load to `loads`.
Duration collective_time(const workload::Schedule& schedule, const workload::Groups& groups,
                         const fabric::Network& network, std::size_t operation, LinkLoads& loads);

// Link shares and bottlenecks of a uniform all-to-all exchange, independent of its size; there may
// be many millions of routes. No route may depend on a hash.
struct ExchangeRoutes {
  std::vector<std::uint64_t> shares;  // per link, summed over all routes
  // Per route latency: the link on any such route that takes longest to carry its total load.
  std::vector<std::pair<Duration, int>> slowest;
};

ExchangeRoutes exchange_routes(const workload::Groups& groups, const fabric::Network& network);

// Like collective_time(), for the schedule that even_exchange() returns.
Duration exchange_time(const workload::Schedule& exchange, const ExchangeRoutes& routes,
                       const fabric::Network& network, LinkLoads& loads);

// The route while all links are up; `empty`: for a message that carries no bytes.
fabric::Route route_between(const fabric::Network& network, int source, int destination,
                            std::uint64_t key, bool empty);

// Time of a message without contention: the latency of its route, then the transfer over its
// bottleneck link; summed over legs where the message is stored in between.
Duration uncontended_time(const fabric::Network& network, const fabric::Route& route, Bytes size);

// The time that a link needs for a load in bytes times share, rounded up.
Duration load_time(Int128 load, Bandwidth bandwidth);

}  // namespace loom::simulate
