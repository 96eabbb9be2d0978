#include "loom/plan/bounds/capacity.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace loom::plan {
namespace {

double bits(Bandwidth bandwidth) { return static_cast<double>(bandwidth.bits_per_second); }

double sum(const std::vector<double>& all) { return std::accumulate(all.begin(), all.end(), 0.0); }

// With changing circuits a pair may have a circuit whenever it sends; over a packet switch always.
void add_switches(const fabric::CircuitFabric& fabric, const fabric::OcsLimits& switches,
                  Capacity& capacity) {
  int max_ports = 0;
  const std::vector<int> ports = switches.ports_of_devices();
  for (std::size_t d = 0; d < ports.size(); ++d) {
    max_ports = std::max(max_ports, ports[d]);
    if (fabric.packets) continue;
    capacity.egress[d] = std::min(capacity.egress[d], ports[d] * bits(fabric.circuit));
  }
  capacity.total = sum(capacity.egress);
  const bool fixed = fabric.reconfigure != fabric::Reconfigure::periodic && !fabric.packets;
  if (fixed && max_ports > 0) capacity.hops = MooreHops{max_ports};
}

void add_ring(const fabric::CircuitFabric& fabric, const fabric::RingLimits& ring,
              Capacity& capacity) {
  const double segment = ring.directions * ring.colors() * bits(fabric.circuit);
  for (double& it : capacity.egress) it = std::min(it, segment);
  if (!ring.reuse) {
    capacity.total = std::min(segment, sum(capacity.egress));
    return;
  }
  capacity.total = segment * ring.devices;
  capacity.hops = RingHops{ring.devices, ring.directions};
}

// The links that leave each node, by node.
std::vector<std::vector<int>> neighbors_of(const fabric::Network& network) {
  std::vector<std::vector<int>> neighbors(static_cast<std::size_t>(network.nodes));
  for (const fabric::Link& it : network.links) {
    if (it.from != it.to) neighbors[static_cast<std::size_t>(it.from)].push_back(it.to);
  }
  return neighbors;
}

void add_hops(const std::vector<std::vector<int>>& neighbors, int source, LinkHops& hops) {
  constexpr std::uint16_t kFar = std::numeric_limits<std::uint16_t>::max();
  std::vector<std::uint16_t> distance(neighbors.size(), kFar);
  std::vector<int> open = {source};
  distance[static_cast<std::size_t>(source)] = 0;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto here = static_cast<std::size_t>(open[i]);
    for (const int to : neighbors[here]) {
      std::uint16_t& next = distance[static_cast<std::size_t>(to)];
      if (next != kFar || distance[here] + 1 == kFar) continue;
      next = static_cast<std::uint16_t>(distance[here] + 1);
      open.push_back(to);
    }
  }
  hops.hops.insert(hops.hops.end(), distance.begin(), distance.begin() + hops.devices);
}

// Nothing is known of the distances if they take too long to find, or if nothing but the links of
// the devices is ever short.
void add_distances(const fabric::Network& network, Capacity& capacity) {
  constexpr std::int64_t kMaxSteps = 20'000'000;
  const auto steps = static_cast<std::int64_t>(network.links.size()) * network.devices;
  capacity.total = sum(capacity.egress);
  if (network.full_bisection || steps > kMaxSteps) return;
  capacity.total = 0;
  for (const fabric::Link& it : network.links) {
    if (it.from != it.to) capacity.total += bits(it.bandwidth);
  }
  LinkHops hops{network.devices, {}};
  const std::vector<std::vector<int>> neighbors = neighbors_of(network);
  for (int source = 0; source < network.devices; ++source) add_hops(neighbors, source, hops);
  capacity.hops = std::move(hops);
}

}  // namespace

int RingHops::between(int from, int to) const {
  const int clockwise = (to - from + devices) % devices;
  return directions == 1 ? clockwise : std::min(clockwise, devices - clockwise);
}

double Capacity::mean_egress() const { return devices == 0 ? 0 : sum(egress) / devices; }

Capacity capacity_of(const fabric::CircuitFabric& fabric) {
  Capacity capacity;
  capacity.devices = fabric.devices();
  capacity.egress.assign(static_cast<std::size_t>(capacity.devices), bits(fabric.egress));
  capacity.latency = fabric.latency;
  if (fabric.packets) capacity.latency = std::min(capacity.latency, fabric.packets->latency);
  capacity.by_phase = fabric.reconfigure == fabric::Reconfigure::phases;
  if (const auto* ring = std::get_if<fabric::RingLimits>(&fabric.limits)) {
    add_ring(fabric, *ring, capacity);
  } else {
    add_switches(fabric, std::get<fabric::OcsLimits>(fabric.limits), capacity);
  }
  capacity.ingress = capacity.egress;
  return capacity;
}

Capacity capacity_of(const fabric::Network& network,
                     std::span<const simulate::LinkChange> changes) {
  fabric::Network fastest = network;
  for (const simulate::LinkChange& it : changes) {
    Bandwidth& bandwidth = fastest.links[static_cast<std::size_t>(it.link)].bandwidth;
    bandwidth = std::max(bandwidth, it.bandwidth);
  }
  Capacity capacity;
  capacity.devices = network.devices;
  capacity.egress.assign(static_cast<std::size_t>(network.devices), 0);
  capacity.ingress = capacity.egress;
  capacity.latency = kForever;
  for (const fabric::Link& it : fastest.links) {
    if (it.from == it.to) continue;
    if (it.from < network.devices) {
      capacity.egress[static_cast<std::size_t>(it.from)] += bits(it.bandwidth);
      capacity.latency = std::min(capacity.latency, it.latency);
    }
    if (it.to < network.devices) {
      capacity.ingress[static_cast<std::size_t>(it.to)] += bits(it.bandwidth);
    }
  }
  if (capacity.latency == kForever) capacity.latency = Duration(0);
  add_distances(fastest, capacity);
  return capacity;
}

}  // namespace loom::plan
