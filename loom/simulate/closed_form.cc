#include "loom/simulate/closed_form.h"

#include <algorithm>
#include <numeric>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/simulate/engine.h"

namespace loom::simulate {
namespace {

// The routes of all channels of one level, in all groups, and the load on each link if all of them
// send at once.
struct LevelLoad {
  std::vector<fabric::Hop> hops;
  std::vector<std::size_t> first_hop;
  std::vector<Duration> latency;
  std::vector<Int128> load;  // per link; nonzero only for links in `touched`
  std::vector<LinkId> touched;
  std::vector<std::int64_t> messages;  // per link, as load
  std::vector<Duration> busy;          // per link: transfer time of its load
};

// Total idle time of a port between messages that use it in turn: each gap is a grant, a switch and
// the propagation delay.
Duration gaps(const fabric::Network& network, std::int64_t messages) {
  if (!network.grants || messages < 2) return Duration(0);
  const fabric::GrantRule& rule = *network.grants;
  return times(messages - 1, add(rule.control, add(rule.switching, rule.latency)));
}

// Time over a route whose hops take `need(hop)` each: the time of the slowest hop; under
// request-grant control, where messages are stored between legs, the sum over legs of two hops.
template <class Need>
Duration route_time(std::span<const fabric::Hop> hops, const fabric::Network& network,
                    const Need& need) {
  Duration sum{0};
  Duration slowest{0};
  for (std::size_t h = 0; h < hops.size(); ++h) {
    slowest = std::max(slowest, need(hops[h]));
    if (!network.grants || h % 2 == 0) continue;
    sum = add(sum, slowest);
    slowest = Duration(0);
  }
  return add(sum, slowest);
}

// The largest message of a channel: ring channels carry every block, and block 0 is the largest.
Bytes largest_message(const workload::Phase& phase, const workload::Channel& channel, int index) {
  if (channel.steps == 1) return phase.size(index, 0);
  return piece(piece(channel.extent, phase.blocks, 0), phase.chunks, 0);
}

// Keeps an estimate consistent with its busiest link, which is needed for its whole load.
PhaseEstimate bounded_by_links(PhaseEstimate estimate, const fabric::Network& network) {
  for (const auto& [link, load] : estimate.loads) {
    const Bandwidth bandwidth = network.links[static_cast<std::size_t>(link)].bandwidth;
    estimate.slowest = std::max(estimate.slowest, load_time(load, bandwidth));
  }
  estimate.time = std::max(estimate.time, estimate.slowest);
  estimate.latency = std::min(estimate.latency, estimate.time - estimate.slowest);
  return estimate;
}

class PhaseTime {
 public:
  PhaseTime(const workload::Phase& phase, const workload::Groups& groups,
            const fabric::Network& network, OperationId operation, int phase_index)
      : phase_(phase),
        groups_(groups),
        network_(network),
        operation_(operation),
        phase_index_(phase_index),
        loads_(network.links.size(), 0),
        sent_(network.links.size(), 0) {
    level_.load.assign(network.links.size(), 0);
    level_.messages.assign(network.links.size(), 0);
    level_.busy.assign(network.links.size(), Duration(0));
  }

  PhaseEstimate estimate() {
    PhaseEstimate estimate;
    estimate.time = time();
    Int128 stream = 0;
    for (const Int128 sent : sent_) stream = std::max(stream, sent);
    estimate.stream = {static_cast<std::int64_t>((stream + fabric::kWhole - 1) / fabric::kWhole)};
    for (std::size_t l = 0; l < loads_.size(); ++l) {
      if (loads_[l] > 0) estimate.loads.emplace_back(l, loads_[l]);
    }
    transfers_ = false;
    estimate.latency = time();
    return bounded_by_links(std::move(estimate), network_);
  }

 private:
  Duration time() {
    const bool ring = std::any_of(phase_.waits.begin(), phase_.waits.end(),
                                  [](const workload::Wait& wait) { return wait.lag > 0; });
    return ring ? ring_time() : chain_time();
  }

  // Latency and transfer time of one message while all others of its level are in flight.
  struct Cost {
    Duration latency{0};
    Duration busy{0};
  };

  Duration ring_time() {
    std::vector<int> all(phase_.channels.size());
    std::iota(all.begin(), all.end(), 0);
    load_level(all);
    std::vector<Cost> costs;
    for (std::size_t c = 0; c < all.size(); ++c) costs.push_back(slowest_group(c, all.size()));
    std::vector<bool> seen(all.size(), false);
    Duration longest{0};
    for (int c = 0; c < static_cast<int>(all.size()); ++c) {
      if (!seen[static_cast<std::size_t>(c)]) longest = std::max(longest, one_ring(c, costs, seen));
    }
    return longest;
  }

  // Time of the ring that contains the channel: the slowest path of a block, or the time of the
  // busiest channel if that is longer.
  Duration one_ring(int channel, const std::vector<Cost>& costs, std::vector<bool>& seen) const {
    const int steps = phase_.channels[static_cast<std::size_t>(channel)].steps;
    std::vector<Duration> hops;
    Duration pace{0};
    Duration busiest{0};
    for (int c = channel; !seen[static_cast<std::size_t>(c)]; c = phase_.waits_of(c)[0].channel) {
      seen[static_cast<std::size_t>(c)] = true;
      const Cost& cost = costs[static_cast<std::size_t>(c)];
      hops.push_back(add(cost.latency, cost.busy));
      pace = std::max(pace, cost.busy);
      busiest = std::max(busiest,
                         add(cost.latency, times(std::int64_t{steps} * phase_.chunks, cost.busy)));
    }
    return std::max(busiest, add(longest_walk(hops, steps), times(phase_.chunks - 1, pace)));
  }

  // The largest sum of `steps` consecutive hops around the ring.
  static Duration longest_walk(const std::vector<Duration>& hops, int steps) {
    const auto count = static_cast<int>(hops.size());
    const auto rest = static_cast<std::size_t>(steps % count);
    Duration whole{0};
    for (const Duration hop : hops) whole = add(whole, hop);
    Duration walk = std::accumulate(hops.begin(), hops.begin() + steps % count, Duration(0));
    Duration longest = walk;
    for (std::size_t i = 0; i < hops.size(); ++i) {
      walk += hops[(i + rest) % hops.size()] - hops[i];
      longest = std::max(longest, walk);
    }
    return add(times(steps / count, whole), longest);
  }

  Duration chain_time() {
    const std::vector<std::vector<int>> levels = by_level();
    std::vector<Duration> end(phase_.channels.size(), Duration(0));
    std::vector<Int128> all(phase_.chunks > 1 ? network_.links.size() : 0, 0);
    Duration last{0};
    for (const std::vector<int>& level : levels) {
      load_level(level);
      for (std::size_t i = 0; i < level.size(); ++i) {
        const auto c = static_cast<std::size_t>(level[i]);
        for (const workload::Wait& wait : phase_.waits_of(level[i])) {
          end[c] = std::max(end[c], end[static_cast<std::size_t>(wait.channel)]);
        }
        const Cost cost = slowest_group(i, level.size());
        end[c] = add(end[c], add(cost.latency, cost.busy));
        last = std::max(last, end[c]);
      }
      for (const LinkId link : all.empty() ? std::vector<LinkId>{} : level_.touched) {
        all[static_cast<std::size_t>(link)] += level_.load[static_cast<std::size_t>(link)];
      }
    }
    Duration pace{0};
    for (std::size_t l = 0; transfers_ && l < all.size(); ++l) {
      if (all[l] > 0) pace = std::max(pace, load_time(all[l], network_.links[l].bandwidth));
    }
    return add(last, times(phase_.chunks - 1, pace));
  }

  // Channels grouped by depth.
  std::vector<std::vector<int>> by_level() const {
    const std::vector<int> depths = channel_depths(phase_);
    std::vector<std::vector<int>> levels;
    for (std::size_t c = 0; c < depths.size(); ++c) {
      const auto depth = static_cast<std::size_t>(depths[c]);
      levels.resize(std::max(levels.size(), depth + 1));
      levels[depth].push_back(static_cast<int>(c));
    }
    return levels;
  }

  void load_level(const std::vector<int>& channels) {
    for (const LinkId link : level_.touched) {
      level_.load[static_cast<std::size_t>(link)] = 0;
      level_.messages[static_cast<std::size_t>(link)] = 0;
    }
    level_.touched.clear();
    level_.hops.clear();
    level_.first_hop.assign(1, 0);
    level_.latency.clear();
    for (GroupId group(0); group < groups_.count(); ++group) {
      for (const int c : channels) load_channel(group, c);
    }
    for (const LinkId link : level_.touched) {
      const auto l = static_cast<std::size_t>(link);
      const Duration load =
          transfers_ ? load_time(level_.load[l], network_.links[l].bandwidth) : Duration(0);
      level_.busy[l] = add(load, gaps(network_, level_.messages[l]));
    }
  }

  void load_channel(GroupId group, int index) {
    const workload::Channel& channel = phase_.channels[static_cast<std::size_t>(index)];
    const Bytes size = largest_message(phase_, channel, index);
    const Int128 all = channel_bytes(phase_, index);
    const fabric::Route route = route_between(network_, groups_.device(group, channel.source),
                                              groups_.device(group, channel.destination),
                                              flow_key(operation_, phase_index_, index), all == 0);
    for (const fabric::Hop& hop : route.hops) {
      const auto link = static_cast<std::size_t>(hop.link);
      if (level_.load[link] == 0) level_.touched.push_back(hop.link);
      level_.load[link] += Int128{size.count} * hop.share;
      ++level_.messages[link];
      if (transfers_) loads_[link] += all * hop.share;
    }
    if (transfers_ && !route.hops.empty()) {
      const fabric::Hop& first = route.hops.front();
      sent_[static_cast<std::size_t>(first.link)] += all * first.share;
    }
    level_.hops.insert(level_.hops.end(), route.hops.begin(), route.hops.end());
    level_.first_hop.push_back(level_.hops.size());
    level_.latency.push_back(route.latency);
  }

  // The cost of channel i of the level in the group in which it takes longest.
  Cost slowest_group(std::size_t i, std::size_t level_size) const {
    Cost slowest;
    for (std::size_t at = i; at < level_.latency.size(); at += level_size) {
      const auto route =
          std::span(level_.hops)
              .subspan(level_.first_hop[at], level_.first_hop[at + 1] - level_.first_hop[at]);
      const Cost cost{level_.latency[at], route_time(route, network_, [&](const fabric::Hop& hop) {
                        return level_.busy[static_cast<std::size_t>(hop.link)];
                      })};
      const bool slower = add(cost.latency, cost.busy) > add(slowest.latency, slowest.busy);
      if (slower) slowest = cost;
    }
    return slowest;
  }

  const workload::Phase& phase_;
  const workload::Groups& groups_;
  const fabric::Network& network_;
  OperationId operation_;
  int phase_index_;
  bool transfers_ = true;  // false: transfers take no time, only latencies and gaps do
  LinkLoads loads_;
  LinkLoads sent_;  // per link, by the device at which the link begins
  LevelLoad level_;
};

// Links ranked by the time they need for their shares; equal times get equal ranks.
std::vector<int> by_load(const std::vector<std::uint64_t>& shares, const fabric::Network& network) {
  const auto less = [&](std::size_t a, std::size_t b) {
    return Int128{shares[a]} * network.links[b].bandwidth.bits_per_second <
           Int128{shares[b]} * network.links[a].bandwidth.bits_per_second;
  };
  std::vector<std::size_t> order;
  for (std::size_t l = 0; l < shares.size(); ++l) {
    if (shares[l] > 0) order.push_back(l);
  }
  std::sort(order.begin(), order.end(), less);
  std::vector<int> rank(shares.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i) {
    rank[order[i]] = rank[order[i - 1]] + (less(order[i - 1], order[i]) ? 1 : 0);
  }
  return rank;
}

}  // namespace

Duration load_time(Int128 load, Bandwidth bandwidth) {
  constexpr std::int64_t kMillion = 1'000'000;
  const Int128 work = load * 8 * kMillion;  // divided by `rate` it is microseconds
  const Int128 rate = Int128{bandwidth.bits_per_second} * fabric::kWhole;
  const Int128 microseconds = std::min<Int128>(work / rate, kForever.count());
  const Int128 rest = ((work % rate) * kMillion + rate - 1) / rate;
  return add(times(kMillion, Duration(static_cast<std::int64_t>(microseconds))),
             Duration(static_cast<std::int64_t>(rest)));
}

std::uint64_t flow_key(OperationId operation, int phase, int channel) {
  return mix(operation,
             mix(static_cast<std::uint64_t>(phase), static_cast<std::uint64_t>(channel)));
}

Duration uncontended_message_time(const fabric::Network& network,
                                  const workload::Operation& message, std::uint64_t key) {
  const fabric::Route route =
      route_between(network, DeviceId(message.source), DeviceId(message.destination), key,
                    message.size.count == 0);
  return uncontended_time(network, route, message.size);
}

fabric::Route route_between(const fabric::Network& network, DeviceId source, DeviceId destination,
                            std::uint64_t key, bool empty) {
  fabric::Route route;
  const bool found = network.router->find(source, destination, key, {}, route) ||
                     (empty && find_out_of_band(network, route));
  LOOM_CHECK(found, "a network connects all devices that exchange data");
  return route;
}

Duration uncontended_time(const fabric::Network& network, const fabric::Route& route, Bytes size) {
  const auto need = [&](const fabric::Hop& hop) {
    return load_time(Int128{size.count} * hop.share,
                     network.links[static_cast<std::size_t>(hop.link)].bandwidth);
  };
  return add(route.latency, route_time(route.hops, network, need));
}

ExchangeRoutes exchange_routes(const workload::Groups& groups, const fabric::Network& network) {
  fabric::Route route;
  const auto for_each_route = [&](auto&& use) {
    for (GroupId group(0); group < groups.count(); ++group) {
      for (int source = 0; source < groups.size; ++source) {
        for (int destination = 0; destination < groups.size; ++destination) {
          if (source == destination) continue;
          route.hops.clear();
          route.latency = Duration(0);
          const bool found = network.router->find(groups.device(group, source),
                                                  groups.device(group, destination), 0, {}, route);
          LOOM_CHECK(found, "a network connects all its devices");
          use();
        }
      }
    }
  };
  ExchangeRoutes routes;
  routes.shares.assign(network.links.size(), 0);
  std::vector<std::uint64_t> sent(network.links.size(), 0);
  for_each_route([&] {
    for (const fabric::Hop& hop : route.hops)
      routes.shares[static_cast<std::size_t>(hop.link)] += hop.share;
    sent[static_cast<std::size_t>(route.hops.front().link)] += route.hops.front().share;
  });
  routes.stream = *std::max_element(sent.begin(), sent.end());
  const std::vector<int> rank = by_load(routes.shares, network);
  for_each_route([&] {
    LinkId busiest = route.hops.front().link;
    for (const fabric::Hop& hop : route.hops) {
      if (rank[static_cast<std::size_t>(hop.link)] > rank[static_cast<std::size_t>(busiest)]) {
        busiest = hop.link;
      }
    }
    auto known = std::find_if(routes.slowest.begin(), routes.slowest.end(),
                              [&](const auto& it) { return it.first == route.latency; });
    if (known == routes.slowest.end())
      known = routes.slowest.insert(known, {route.latency, busiest});
    if (rank[static_cast<std::size_t>(busiest)] > rank[static_cast<std::size_t>(known->second)]) {
      known->second = busiest;
    }
  });
  return routes;
}

// The same estimate as that of PhaseTime, for channels without waits.
std::vector<PhaseEstimate> estimate_exchange(const workload::Schedule& exchange,
                                             const ExchangeRoutes& routes,
                                             const fabric::Network& network) {
  const workload::Phase& phase = exchange.phases.front();
  const Int128 all = channel_bytes(phase, 0);
  PhaseEstimate estimate;
  for (std::size_t l = 0; l < routes.shares.size(); ++l) {
    if (all > 0 && routes.shares[l] > 0) estimate.loads.emplace_back(l, all * routes.shares[l]);
  }
  const Int128 stream = all * routes.stream + fabric::kWhole - 1;
  estimate.stream = {static_cast<std::int64_t>(stream / fabric::kWhole)};
  Duration pace{0};
  for (const auto& [latency, link] : routes.slowest) {
    const auto l = static_cast<std::size_t>(link);
    const Duration load =
        load_time(Int128{phase.size(0, 0).count} * routes.shares[l], network.links[l].bandwidth);
    const auto messages = static_cast<std::int64_t>(routes.shares[l] / fabric::kWhole);
    const Duration idle = gaps(network, messages);
    const Duration busy = add(load, idle);
    estimate.time = std::max(estimate.time, add(latency, busy));
    estimate.latency = std::max(estimate.latency, add(latency, idle));
    pace = std::max(pace, busy);
  }
  estimate.time = add(estimate.time, times(phase.chunks - 1, pace));
  std::vector<PhaseEstimate> estimates;
  estimates.resize(exchange.phases.size(), bounded_by_links(std::move(estimate), network));
  return estimates;
}

std::vector<PhaseEstimate> estimate_phases(const workload::Schedule& schedule,
                                           const workload::Groups& groups,
                                           const fabric::Network& network, OperationId operation) {
  std::vector<PhaseEstimate> estimates;
  int index = 0;
  for (const workload::Phase& phase : schedule.phases) {
    if (!phase.channels.empty()) {
      estimates.push_back(PhaseTime(phase, groups, network, operation, index).estimate());
    }
    ++index;
  }
  return estimates;
}

}  // namespace loom::simulate
