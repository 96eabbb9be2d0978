#include "loom/fabric/circuits/shift_network.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "loom/fabric/network/graph.h"

namespace loom::fabric {
namespace {

class ShiftRouter final : public Router {
 public:
  ShiftRouter(const Network& network, DeviceGrid grid, const ShiftRouting& routing)
      : grid_(std::move(grid)),
        others_(network.router),
        route_of_(static_cast<std::size_t>(grid_.devices()), -1),
        link_of_(route_of_.size() * route_of_.size(), -1) {
    for (std::size_t l = 0; l < network.links.size(); ++l) {
      const Link& link = network.links[l];
      const auto from = static_cast<std::size_t>(link.from);
      link_of_[from * route_of_.size() + static_cast<std::size_t>(link.to)] = static_cast<int>(l);
      latency_ = std::max(latency_, link.latency);
    }
    for (const ShiftRoute& it : routing.routes) {
      route_of_[static_cast<std::size_t>(it.shift)] = static_cast<int>(routes_.size());
      routes_.push_back(it);
    }
  }

  bool find(DeviceId source, DeviceId destination, std::uint64_t key, const std::vector<bool>& down,
            Route& route) const override {
    const int shift = grid_.shift(static_cast<int>(source), static_cast<int>(destination));
    const int known = route_of_[static_cast<std::size_t>(shift)];
    if (known >= 0) {
      lay(routes_[static_cast<std::size_t>(known)], static_cast<int>(source), route);
      const auto is_down = [&](const Hop& it) { return down[static_cast<std::size_t>(it.link)]; };
      if (down.empty() || std::none_of(route.hops.begin(), route.hops.end(), is_down)) return true;
      route = {};
    }
    return others_->find(source, destination, key, down, route);
  }

  bool hashes() const override { return false; }

 private:
  // A link that several paths cross appears once.
  void lay(const ShiftRoute& over, int source, Route& route) const {
    std::size_t longest = 0;
    for (const ShiftPath& path : over.paths) {
      longest = std::max(longest, path.over.size());
      const auto share =
          static_cast<std::uint64_t>(path.units) * kWhole / static_cast<std::uint64_t>(over.units);
      int at = source;
      for (const int shift : path.over) {
        const int next = grid_.at(at, shift);
        add_hop(LinkId(link_of_[static_cast<std::size_t>(at) * route_of_.size() +
                                static_cast<std::size_t>(next)]),
                share, route);
        at = next;
      }
    }
    for (std::size_t i = 0; i < longest; ++i) route.latency = capped_sum(route.latency, latency_);
  }

  static void add_hop(LinkId link, std::uint64_t share, Route& route) {
    for (Hop& it : route.hops) {
      if (it.link != link) continue;
      it.share += share;
      return;
    }
    route.hops.push_back({link, share});
  }

  DeviceGrid grid_;
  std::shared_ptr<const Router> others_;
  std::vector<int> route_of_;  // per shift: index of its route, or -1
  std::vector<int> link_of_;   // per pair of devices: its link, or -1
  std::vector<ShiftRoute> routes_;
  Duration latency_{0};  // of a circuit
};

}  // namespace

Circuits circuits_at(const DeviceGrid& grid, const std::vector<ShiftCircuits>& shifts) {
  Circuits circuits;
  int plane = 0;
  for (const ShiftCircuits& it : shifts) {
    for (int i = 0; i < it.count; ++i, ++plane) {
      for (int from = 0; from < grid.devices(); ++from) {
        circuits.push_back({.from = from, .to = grid.at(from, it.shift), .plane = plane});
      }
    }
  }
  std::sort(circuits.begin(), circuits.end());
  return circuits;
}

Network shift_network(const CircuitFabric& fabric, const DeviceGrid& grid,
                      const std::vector<ShiftCircuits>& shifts, const ShiftRouting& routing) {
  Network network = circuit_network(fabric, by_pair(circuits_at(grid, shifts)));
  network.router = std::make_shared<ShiftRouter>(network, grid, routing);
  return network;
}

}  // namespace loom::fabric
