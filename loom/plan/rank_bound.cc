#include "loom/plan/rank_bound.h"

#include <algorithm>

#include "loom/fabric/circuits/topology_network.h"
#include "loom/simulate/closed_form.h"
#include "loom/simulate/neighborhood.h"

namespace loom::plan {
namespace {

// Time that a link needs for a load (bytes times share), rounded down.
Duration transfer_time(Int128 load, Bandwidth bandwidth) {
  return std::max(Duration(0), simulate::load_time(load, bandwidth) - Duration(1));
}

Duration time_at(Int128 bytes, Int128 bits_per_second) {
  return Duration(static_cast<std::int64_t>(bytes * 8 * kPicosecondsPerSecond / bits_per_second));
}

// Bounds for the phases of one collective on one network.
class RankBounds {
 public:
  RankBounds(const workload::Groups& groups, const fabric::Network& network)
      : groups_(groups),
        network_(network),
        classes_(simulate::equivalent_groups(groups, network)),
        hashes_(network.router->hashes()),
        load_(network.links.size(), 0) {
    egress_.assign(static_cast<std::size_t>(network.devices), 0);
    for (const fabric::Link& it : network.links) {
      if (it.from < network.devices) {
        egress_[static_cast<std::size_t>(it.from)] += it.bandwidth.bits_per_second;
      }
    }
  }

  // The sum over all ranks of all groups, for a phase in which every rank sends the same number of
  // bytes to every other at once.
  Int128 exchange_sum(Int128 bytes) {
    constexpr std::int64_t kMaxRoutes = 100'000;
    const auto groups = static_cast<std::int64_t>(classes_.size());
    const bool by_egress = hashes_ || groups * groups_.size * groups_.size > kMaxRoutes;
    Int128 total = 0;
    for (const simulate::EquivalentGroups& it : classes_) {
      for (int rank = 0; rank < groups_.size; ++rank) {
        const Duration time =
            by_egress ? egress_time(bytes * (groups_.size - 1), groups_.device(it.first, rank))
                      : exchange_time(it.first, rank, bytes);
        total += Int128{time.count()} * it.count;
      }
    }
    return total;
  }

  // The sum over all ranks of all groups.
  Int128 sum(const workload::Phase& phase) {
    by_source(phase);
    const int period = round_length(phase);
    Int128 total = 0;
    for (const simulate::EquivalentGroups& it : classes_) {
      const Duration hop = period > 0 ? fastest_hop(phase, it.first) : Duration(0);
      for (int rank = 0; rank < groups_.size; ++rank) {
        total += Int128{of_rank(phase, it.first, rank, period, hop).count()} * it.count;
      }
    }
    return total;
  }

 private:
  void by_source(const workload::Phase& phase) {
    channels_.assign(static_cast<std::size_t>(groups_.size), {});
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      channels_[static_cast<std::size_t>(phase.channels[static_cast<std::size_t>(c)].source)]
          .push_back(c);
    }
  }

  // The number of messages between a message of a channel and the one that follows from it after a
  // round through all channels of its ring; 0 if the channels do not form rings of equal length.
  static int round_length(const workload::Phase& phase) {
    std::vector<bool> seen(phase.channels.size(), false);
    int length = 0;
    for (int first = 0; first < static_cast<int>(seen.size()); ++first) {
      if (seen[static_cast<std::size_t>(first)]) continue;
      int hops = 0;
      int channel = first;
      for (; !seen[static_cast<std::size_t>(channel)]; ++hops) {
        seen[static_cast<std::size_t>(channel)] = true;
        const auto waits = phase.waits_of(channel);
        if (waits.size() != 1 || waits[0].lag != phase.chunks) return 0;
        channel = waits[0].channel;
      }
      if (channel != first || (first > 0 && hops != length)) return 0;
      length = hops;
    }
    return length * phase.chunks;
  }

  // Time of the smallest message over the fastest channel of a ring, from start to arrival.
  Duration fastest_hop(const workload::Phase& phase, GroupId group) {
    Duration fastest = kForever;
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      find_route(phase, group, c);
      fastest = std::min(fastest, add(route_.latency, slowest_link(smallest_message(phase, c))));
    }
    return fastest;
  }

  static Bytes smallest_message(const workload::Phase& phase, int channel) {
    const workload::Channel& it = phase.channels[static_cast<std::size_t>(channel)];
    return {it.extent.count / phase.blocks / phase.chunks};
  }

  // Finds the route of the channel. Where routes depend on a hash, it has no links or latency.
  void find_route(const workload::Phase& phase, GroupId group, int channel) {
    if (hashes_) return;
    const workload::Channel& it = phase.channels[static_cast<std::size_t>(channel)];
    route_ = simulate::route_between(network_, groups_.device(group, it.source),
                                     groups_.device(group, it.destination), 0,
                                     channel_bytes(phase, channel) == 0);
  }

  Duration slowest_link(Bytes size) const {
    Duration slowest{0};
    for (const fabric::Hop& hop : route_.hops) {
      const Bandwidth bandwidth = network_.links[static_cast<std::size_t>(hop.link)].bandwidth;
      slowest = std::max(slowest, transfer_time(Int128{size.count} * hop.share, bandwidth));
    }
    return slowest;
  }

  Duration of_rank(const workload::Phase& phase, GroupId group, int rank, int period,
                   Duration hop) {
    Duration bound{0};
    Duration latency = kForever;
    Int128 bytes = 0;
    for (const int c : channels_[static_cast<std::size_t>(rank)]) {
      find_route(phase, group, c);
      const Int128 all = channel_bytes(phase, c);
      bytes += all;
      latency = std::min(latency, route_.latency);
      for (const fabric::Hop& it : route_.hops) add_load(it.link, all * it.share);
      if (period > 0) bound = std::max(bound, ring_bound(phase, c, period, hop));
    }
    if (latency == kForever) return Duration(0);  // it sends nothing in this phase
    if (hashes_) return egress_time(bytes, groups_.device(group, rank));
    return std::max(bound, add(latency, take_slowest_load()));
  }

  // The last message of a channel follows from an earlier one of the same channel by whole rounds
  // of hops; before that, the channel sends its messages one after the other.
  Duration ring_bound(const workload::Phase& phase, int channel, int period, Duration hop) const {
    const int messages = phase.messages(channel);
    const int rounds = (messages - 1) / period;
    const int before = messages - rounds * period;
    const int hops = period / phase.chunks;
    return add(add(route_.latency, times(before, slowest_link(smallest_message(phase, channel)))),
               times(std::int64_t{rounds} * hops, hop));
  }

  Duration exchange_time(GroupId group, int rank, Int128 bytes) {
    Duration latency = kForever;
    for (int other = 0; other < groups_.size; ++other) {
      if (other == rank) continue;
      route_ = simulate::route_between(network_, groups_.device(group, rank),
                                       groups_.device(group, other), 0, bytes == 0);
      latency = std::min(latency, route_.latency);
      for (const fabric::Hop& it : route_.hops) add_load(it.link, bytes * it.share);
    }
    return add(latency, take_slowest_load());
  }

  Duration egress_time(Int128 bytes, int device) const {
    return time_at(bytes, egress_[static_cast<std::size_t>(device)]);
  }

  void add_load(LinkId link, Int128 load) {
    Int128& sum = load_[static_cast<std::size_t>(link)];
    if (sum == 0) touched_.push_back(link);
    sum += load;
  }

  // The longest time of a link for its load; resets the loads.
  Duration take_slowest_load() {
    Duration slowest{0};
    for (const LinkId link : touched_) {
      const auto l = static_cast<std::size_t>(link);
      slowest = std::max(slowest, transfer_time(load_[l], network_.links[l].bandwidth));
      load_[l] = 0;
    }
    touched_.clear();
    return slowest;
  }

  const workload::Groups& groups_;
  const fabric::Network& network_;
  const std::vector<simulate::EquivalentGroups> classes_;
  const bool hashes_;
  std::vector<std::vector<int>> channels_;  // per rank: the channels on which it sends
  std::vector<Int128> egress_;              // per device: bit/s of all its links together
  std::vector<Int128> load_;                // per link: of one rank
  std::vector<LinkId> touched_;             // links with a load
  fabric::Route route_;
};

}  // namespace

Duration mean_rank_bound(const workload::Collective& collective, const workload::Groups& groups,
                         const fabric::Network& network) {
  if (groups.size < 2) return Duration(0);
  RankBounds bounds(groups, network);
  Int128 sum = 0;
  if (const auto exchange = even_exchange(collective, groups.size)) {
    sum = bounds.exchange_sum(channel_bytes(exchange->phases.front(), 0)) *
          static_cast<int>(exchange->phases.size());
    return Duration(static_cast<std::int64_t>(sum / static_cast<int>(groups.members.size())));
  }
  for (const workload::Phase& phase : schedule(collective, groups.size).phases) {
    sum += bounds.sum(phase);
  }
  return Duration(static_cast<std::int64_t>(sum / static_cast<int>(groups.members.size())));
}

// An all-reduce takes as many bytes as a reduce-scatter and an all-gather. For the other kinds, all
// ranks but one must receive what they do not have.
Duration mean_rank_bound(const workload::Collective& collective, int ranks,
                         const fabric::CircuitFabric& circuits) {
  if (ranks < 2) return Duration(0);
  const int passes = collective.kind == workload::CollectiveKind::all_reduce ? 2 : 1;
  const Int128 bytes = Int128{collective.size.count} * passes * (ranks - 1) / ranks;
  return time_at(bytes, circuits.egress.bits_per_second);
}

Duration busiest_link_bound(const fabric::Network& network, const workload::Demand& demand) {
  if (network.router->hashes()) return Duration(0);
  constexpr double kRoundedDown = 1 - 1e-9;
  const double picoseconds = fabric::busiest_link_time(network, demand) * 1e12 * kRoundedDown;
  return Duration(
      static_cast<std::int64_t>(std::min(picoseconds, static_cast<double>(kForever.count()) / 2)));
}

}  // namespace loom::plan
