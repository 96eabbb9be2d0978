// Closed-form time of a collective from latency (α) and bytes (β), with contention among the
// messages of the collective on every link.
//
// A message takes α, the latency of its route, plus τ, the time that the busiest link of the route
// needs for everything that all channels send over it at once. In a ring of s steps and c chunks, a
// block crosses s consecutive channels: the time is the largest sum of α+τ over such channels plus
// c-1 times the largest τ, or α + s·c·τ of the busiest channel if that is longer. For identical
// channels this is (s-1) · max(c·τ, α+τ) + α + c·τ; without chunks, s · (α + τ). Other phases take
// the time of the longest chain of channels, each with the contention of its level in the graph,
// plus c-1 times the time of the busiest link.
#pragma once

#include <utility>
#include <vector>

#include "loom/fabric/network/network.h"
#include "loom/workload/schedule.h"
#include "loom/workload/workload.h"

namespace loom::simulate {

// The load of each link: bytes times the share of the message that crosses the link.
using LinkLoads = std::vector<Int128>;

// A phase of a collective that all groups run concurrently, on otherwise idle links.
struct PhaseEstimate {
  Duration time{0};
  // Part of the time during which nothing is transferred: the latencies along the longest chain,
  // unless transfers hide them.
  Duration latency{0};
  Duration slowest{0};  // time of the busiest link for its load; at most time - latency
  Bytes stream;         // max number of bytes that a device sends over one of its links
  std::vector<std::pair<LinkId, Int128>> loads;  // nonzero loads
};

std::vector<PhaseEstimate> estimate_phases(const workload::Schedule& schedule,
                                           const workload::Groups& groups,
                                           const fabric::Network& network, OperationId operation);

// Link shares and bottlenecks of an exchange in which every rank sends the same size to every
// other. They do not depend on the size and are computed once, because there may be many millions
// of routes. No route may depend on a hash.
struct ExchangeRoutes {
  std::vector<std::uint64_t> shares;  // per link, summed over all routes
  std::uint64_t stream = 0;  // max sum of the shares of a device's routes on their first link
  // For each latency of a route: among the links on routes of this latency, the link that takes
  // longest to carry its total load.
  std::vector<std::pair<Duration, LinkId>> slowest;
};

ExchangeRoutes exchange_routes(const workload::Groups& groups, const fabric::Network& network);

// Like estimate_phases(), for the schedule that even_exchange() returns.
std::vector<PhaseEstimate> estimate_exchange(const workload::Schedule& exchange,
                                             const ExchangeRoutes& routes,
                                             const fabric::Network& network);

// The route while all links are up. `empty`: the message carries no bytes, so it may go out of
// band.
fabric::Route route_between(const fabric::Network& network, DeviceId source, DeviceId destination,
                            std::uint64_t key, bool empty);

// Time of a message without contention: the latency of its route, then the transfer over its
// bottleneck link; if the message is stored between legs, the sum over the legs.
Duration uncontended_time(const fabric::Network& network, const fabric::Route& route, Bytes size);

// The time that a link needs for a load in bytes times share, rounded up.
Duration load_time(Int128 load, Bandwidth bandwidth);

}  // namespace loom::simulate
