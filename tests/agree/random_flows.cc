#include "tests/agree/random_flows.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

namespace loom {
namespace {

class RandomRouter final : public fabric::Router {
 public:
  RandomRouter(const std::vector<std::vector<fabric::Route>>& paths, bool fixed) : fixed_(fixed) {
    for (std::size_t flow = 0; flow < paths.size(); ++flow)
      paths_[simulate::flow_key(OperationId(flow))] = paths[flow];
  }

  bool find(DeviceId /*source*/, DeviceId /*destination*/, std::uint64_t key,
            const std::vector<bool>& down, fabric::Route& route) const override {
    for (const fabric::Route& path : paths_.at(key)) {
      const bool whole =
          std::none_of(path.hops.begin(), path.hops.end(), [&](const fabric::Hop& hop) {
            return !down.empty() && down[static_cast<std::size_t>(hop.link)];
          });
      if (!whole && !fixed_) continue;
      route = path;
      return true;
    }
    return false;
  }

 private:
  std::map<std::uint64_t, std::vector<fabric::Route>> paths_;
  bool fixed_;
};

Bandwidth random_bandwidth(Random& random) {
  constexpr std::array<std::int64_t, 6> kUsual = {1, 10, 25, 40, 100, 400};
  const bool usual = random(2) == 0;
  return {usual ? kUsual[random(6)] * 1'000'000'000
                : sample(random, 1'000'000'000, 400'000'000'000)};
}

// A size of any order of magnitude up to 100 MB.
Bytes random_size(Bytes min, Random& random) {
  std::int64_t max = 10;
  for (auto magnitude = random(8); magnitude > 0; --magnitude) max *= 10;
  return {sample(random, min.count, std::max(min.count, max))};
}

fabric::Network random_network(const FlowKinds& kinds, Random& random) {
  fabric::Network network;
  network.devices = network.nodes = static_cast<int>(sample(random, 2, 10));
  const auto links = sample(random, network.nodes, std::int64_t{4} * network.nodes);
  for (std::int64_t i = 0; i < links; ++i) {
    const auto from =
        static_cast<int>(i < network.nodes ? i : sample(random, 0, network.nodes - 1));
    const int to = (from + static_cast<int>(sample(random, 1, network.nodes - 1))) % network.nodes;
    const Duration latency(kinds.latency && random(2) == 0 ? sample(random, 0, 10'000'000) : 0);
    network.links.push_back({NodeId(from), NodeId(to), random_bandwidth(random), latency});
  }
  return network;
}

std::vector<LinkId> links_between(const fabric::Network& network, NodeId from, NodeId to) {
  std::vector<LinkId> links;
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    if (network.links[l].from == from && network.links[l].to == to) {
      links.emplace_back(l);
    }
  }
  return links;
}

// Splits a message over parallel links, evenly or not.
void divide(const std::vector<LinkId>& links, bool evenly, Random& random, fabric::Route& route) {
  std::uint32_t left = fabric::kWhole;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto others = static_cast<std::uint32_t>(links.size() - i);
    const std::uint32_t max = left - (others - 1);
    const std::uint32_t share = others == 1 ? left : evenly ? left / others : 1 + random(max);
    route.hops.push_back({links[i], share});
    left -= share;
  }
}

// One step from `here` to an unvisited node; false if there is none.
bool step(const fabric::Network& network, const FlowKinds& kinds, std::vector<int>& seen,
          Random& random, fabric::Route& route) {
  std::vector<LinkId> onward;
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    const fabric::Link& link = network.links[l];
    const bool fresh = std::find(seen.begin(), seen.end(), link.to) == seen.end();
    if (link.from == seen.back() && fresh) onward.emplace_back(l);
  }
  if (onward.empty()) return false;
  const LinkId taken = onward[random(static_cast<std::uint32_t>(onward.size()))];
  const fabric::Link& link = network.links[static_cast<std::size_t>(taken)];
  if (kinds.split) {
    divide(links_between(network, link.from, link.to), random(2) == 0, random, route);
  } else {
    route.hops.push_back({taken});
  }
  route.latency += link.latency;
  seen.push_back(link.to);
  return true;
}

fabric::Route random_path(const fabric::Network& network, const FlowKinds& kinds, int source,
                          Random& random) {
  fabric::Route route;
  std::vector<int> seen = {source};
  for (auto steps = sample(random, 1, 5); steps > 0; --steps) {
    if (!step(network, kinds, seen, random, route)) break;
  }
  return route;
}

workload::Operation random_flow(const FlowKinds& kinds, const fabric::Network& network,
                                Random& random) {
  workload::Operation flow{.kind = workload::OperationKind::message};
  flow.source = static_cast<int>(sample(random, 0, network.nodes - 1));
  flow.destination = (flow.source + 1) % network.nodes;  // nominal only: the paths are random
  flow.size = random_size(kinds.min_size, random);
  flow.start = random(2) == 0 ? Duration(0) : Duration(sample(random, 0, 1'000'000'000));
  flow.weight = static_cast<std::int32_t>(kinds.weighted ? sample(random, 1, 100) : 1);
  return flow;
}

// Slower, faster, down, and finally back to normal.
void add_random_changes(FlowCase& it, Random& random) {
  for (auto count = sample(random, 1, 8); count > 0; --count) {
    const LinkId link(random(static_cast<std::uint32_t>(it.network.links.size())));
    const Bandwidth before = it.network.links[link].bandwidth;
    const bool down = random(2) == 0;
    const Bandwidth during = down ? Bandwidth{0} : random_bandwidth(random);
    const Duration at(sample(random, 0, 2'000'000'000));
    it.changes.push_back({TimePoint(at), link, during});
    const Duration again = at + Duration(sample(random, 1, 1'000'000'000));
    it.changes.push_back({TimePoint(again), link, before});
  }
}

oracle::Path path_of(const fabric::Route& route) {
  oracle::Path path;
  for (const fabric::Hop& hop : route.hops) {
    path.push_back({static_cast<std::size_t>(hop.link), oracle::Real(hop.share) / fabric::kWhole});
  }
  return path;
}

oracle::Real per_picosecond(Bandwidth bandwidth) {
  return static_cast<oracle::Real>(bandwidth.bits_per_second) / 1e12L;
}

}  // namespace

std::int64_t sample(Random& random, std::int64_t min, std::int64_t max) {
  const std::uint64_t wide = (std::uint64_t{random()} << 32) | random();
  return min + static_cast<std::int64_t>(wide % static_cast<std::uint64_t>(max - min + 1));
}

FlowCase random_flows(const FlowKinds& kinds, Random& random) {
  FlowCase it;
  it.network = random_network(kinds, random);
  it.sharing = kinds.weighted ? transport::Sharing::weighted : transport::Sharing::fair;
  it.workload.devices = it.network.devices;
  for (auto flows = sample(random, 1, kinds.max_flows); flows > 0; --flows) {
    const workload::Operation flow = random_flow(kinds, it.network, random);
    it.workload.operations.push_back(flow);
    std::vector<fabric::Route>& paths = it.paths.emplace_back();
    while (paths.size() < static_cast<std::size_t>(kinds.paths)) {
      paths.push_back(random_path(it.network, kinds, flow.source, random));
    }
  }
  if (kinds.changes) add_random_changes(it, random);
  set_router(it, kinds.fixed_paths);
  return it;
}

void set_router(FlowCase& it, bool fixed_paths) {
  it.network.router = std::make_shared<RandomRouter>(it.paths, fixed_paths);
}

std::vector<oracle::Real> capacities_of(const FlowCase& it) {
  std::vector<oracle::Real> capacities;
  for (const fabric::Link& link : it.network.links)
    capacities.push_back(per_picosecond(link.bandwidth));
  return capacities;
}

std::vector<oracle::Flow> flows_of(const FlowCase& it) {
  std::vector<oracle::Flow> flows;
  for (std::size_t i = 0; i < it.paths.size(); ++i) {
    const workload::Operation& operation = it.workload.operations[i];
    oracle::Flow flow{.start = static_cast<oracle::Real>(operation.start.count()),
                      .latency = static_cast<oracle::Real>(it.paths[i].front().latency.count()),
                      .size = 8 * static_cast<oracle::Real>(operation.size.count),
                      .weight = static_cast<oracle::Real>(operation.weight)};
    for (const fabric::Route& path : it.paths[i]) flow.paths.push_back(path_of(path));
    flows.push_back(flow);
  }
  return flows;
}

std::vector<oracle::Change> changes_of(const FlowCase& it) {
  std::vector<oracle::Change> changes;
  for (const simulate::LinkChange& change : it.changes) {
    changes.push_back({static_cast<oracle::Real>(elapsed(change.at).count()),
                       static_cast<std::size_t>(change.link), per_picosecond(change.bandwidth)});
  }
  return changes;
}

}  // namespace loom
