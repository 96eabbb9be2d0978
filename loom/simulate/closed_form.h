// What a collective costs by closed form: α for latency, β for bytes, with the contention among its
// own messages on every link they cross.
//
// A channel's message takes α, the latency of its way, and τ, the time that the busiest link of its
// way needs for what all channels send over it at once. In a ring of s steps and c chunks a block
// walks over s channels in a row: the longest such sum of α+τ, then the further chunks at the pace
// of the slowest τ; or, if that is longer, α + s·c·τ of the busiest channel. Where all channels are
// alike that is (s-1) · max(c·τ, α+τ) + α + c·τ, and without chunks s · (α + τ). Other phases: the
// longest chain of channels, each with the contention of its own level of the graph, then the
// further chunks at the pace of the busiest link.
#pragma once

#include <utility>
#include <vector>

#include "loom/fabric/network/network.h"
#include "loom/workload/schedule.h"
#include "loom/workload/workload.h"

namespace loom {

// Bytes times share, by link.
using LinkLoads = std::vector<Int128>;

// The time for all groups to do it side by side. Adds what each link carries to `loads`.
Duration collective_time(const Schedule& schedule, const Groups& groups, const Network& network,
                         std::size_t operation, LinkLoads& loads);

// What an exchange of the same with everyone puts on links, whatever its size: there may be many
// millions of ways. None may depend on a hash.
struct ExchangeRoutes {
  std::vector<std::uint64_t> shares;  // by link: of all ways
  // By latency of ways: the link on any of them that needs longest for what all put on it.
  std::vector<std::pair<Duration, int>> slowest;
};

ExchangeRoutes exchange_routes(const Groups& groups, const Network& network);

// As collective_time(), of an exchange as even_exchange() gives it.
Duration exchange_time(const Schedule& exchange, const ExchangeRoutes& routes,
                       const Network& network, LinkLoads& loads);

// The way while all links are there; `empty`: of what carries no bytes.
Route route_between(const Network& network, int source, int destination, std::uint64_t key,
                    bool empty);

// What a message takes with the way to itself: its latency, then its narrowest part; leg by leg
// where it is stored in between.
Duration uncontended_time(const Network& network, const Route& route, Bytes size);

// The time that a link needs for so many bytes times share, rounded up.
Duration load_time(Int128 load, Bandwidth bandwidth);

}  // namespace loom
