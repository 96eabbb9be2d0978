#include "loom/fabric/network/subnetwork.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/error.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace {

class SubnetworkRouter final : public Router {
 public:
  SubnetworkRouter(std::shared_ptr<const Router> whole, std::span<const int> devices)
      : whole_(std::move(whole)), devices_(devices.begin(), devices.end()) {}

  bool find(DeviceId source, DeviceId destination, std::uint64_t key, const std::vector<bool>& down,
            Route& route) const override {
    return whole_->find(devices_[static_cast<std::size_t>(source)],
                        devices_[static_cast<std::size_t>(destination)], key, down, route);
  }
  bool hashes() const override { return whole_->hashes(); }

 private:
  std::shared_ptr<const Router> whole_;
  std::vector<DeviceId> devices_;
};

// Number of listed devices in each group of `neighborhood` consecutive devices that has any; 0 if
// the number differs between groups or the groups are not in ascending order.
int even_run(std::span<const int> devices, int neighborhood) {
  const int count = static_cast<int>(devices.size());
  const auto at = [&](int i) { return devices[static_cast<std::size_t>(i)] / neighborhood; };
  int run = 1;
  while (run < count && at(run) == at(0)) ++run;
  if (count % run != 0) return 0;
  for (int i = 1; i < count; ++i) {
    if (i % run == 0 ? at(i) <= at(i - 1) : at(i) != at(i - 1)) return 0;
  }
  return run;
}

// Levels of the full network, as far as the devices fill its groups evenly.
std::vector<int> levels_of_subnetwork(const std::vector<int>& levels,
                                      std::span<const int> devices) {
  std::vector<int> found;
  int neighborhood = 1;
  int inside = 1;
  for (const int level : levels) {
    neighborhood *= level;
    const int run = even_run(devices, neighborhood);
    if (run == 0) return {};
    if (run > inside) found.push_back(run / inside);
    inside = run;
  }
  return found.size() > 1 ? found : std::vector<int>();
}

// Routes within disjoint subnetworks: maps each device to its subnetwork and its number there.
class SideBySideRouter final : public Router {
 public:
  SideBySideRouter(std::span<const Subnetwork> subnetworks, int devices)
      : seats_(static_cast<std::size_t>(devices)) {
    int first_link = 0;
    for (const Subnetwork& it : subnetworks) {
      const int subnetwork = static_cast<int>(members_.size());
      for (std::size_t d = 0; d < it.devices.size(); ++d) {
        Seat& seat = seats_[static_cast<std::size_t>(it.devices[d])];
        LOOM_CHECK(seat.subnetwork < 0, "no device is in two subnetworks");
        seat = {subnetwork, DeviceId(d)};
      }
      const int links = static_cast<int>(it.network->links.size());
      members_.push_back({it.network->router, first_link, links});
      first_link += links;
    }
  }

  bool find(DeviceId source, DeviceId destination, std::uint64_t key, const std::vector<bool>& down,
            Route& route) const override {
    const Seat from = seats_[static_cast<std::size_t>(source)];
    const Seat to = seats_[static_cast<std::size_t>(destination)];
    if (from.subnetwork < 0 || from.subnetwork != to.subnetwork) return false;
    const Member& member = members_[static_cast<std::size_t>(from.subnetwork)];
    std::vector<bool> own;
    if (!down.empty()) {
      const auto first = down.begin() + member.first_link;
      own.assign(first, first + member.links);
    }
    if (!member.router->find(from.device, to.device, key, own, route)) return false;
    for (Hop& hop : route.hops) hop.link = LinkId(hop.link + member.first_link);
    return true;
  }

  bool hashes() const override {
    return std::any_of(members_.begin(), members_.end(),
                       [](const Member& it) { return it.router->hashes(); });
  }

 private:
  struct Seat {
    int subnetwork = -1;
    DeviceId device;
  };
  struct Member {
    std::shared_ptr<const Router> router;
    int first_link = 0;
    int links = 0;
  };
  std::vector<Seat> seats_;  // by device
  std::vector<Member> members_;
};

}  // namespace

Network subnetwork_of(const Network& network, std::span<const int> devices) {
  std::vector<NodeId> number(static_cast<std::size_t>(network.nodes), NodeId(-1));
  Network subnetwork;
  for (const int device : devices)
    number[static_cast<std::size_t>(device)] = NodeId(subnetwork.nodes++);
  subnetwork.devices = subnetwork.nodes;
  for (NodeId node(0); node < network.nodes; ++node) {
    if (number[static_cast<std::size_t>(node)] >= 0) continue;
    const std::string name = network.node_name(node);
    number[static_cast<std::size_t>(node)] =
        add_switch(subnetwork, node < network.devices ? "other" + name : name);
  }
  subnetwork.links = network.links;
  for (Link& link : subnetwork.links) {
    link.from = number[static_cast<std::size_t>(link.from)];
    link.to = number[static_cast<std::size_t>(link.to)];
  }
  subnetwork.router = std::make_shared<SubnetworkRouter>(network.router, devices);
  subnetwork.levels = levels_of_subnetwork(network.levels, devices);
  if (network.period > 0 && !subnetwork.levels.empty()) {
    subnetwork.period = subnetwork.devices / subnetwork.levels.back();
  }
  return subnetwork;
}

bool has_subnetworks(const CircuitFabric& fabric) {
  return std::holds_alternative<OcsLimits>(fabric.limits);
}

CircuitFabric subnetwork_of(const CircuitFabric& fabric, std::span<const int> devices) {
  LOOM_CHECK(has_subnetworks(fabric), "only circuit switches have subnetworks");
  CircuitFabric subnetwork = fabric;
  auto& limits = std::get<OcsLimits>(subnetwork.limits);
  const auto& whole = std::get<OcsLimits>(fabric.limits);
  limits.devices = static_cast<int>(devices.size());
  for (std::size_t plane = 0; plane < limits.wiring.size(); ++plane) {
    limits.wiring[plane].clear();
    for (int d = 0; d < limits.devices; ++d) {
      const bool wired = whole.wired(devices[static_cast<std::size_t>(d)], static_cast<int>(plane));
      if (wired) limits.wiring[plane].push_back(d);
    }
  }
  return subnetwork;
}

Network side_by_side(std::span<const Subnetwork> subnetworks, int devices) {
  Network whole = bare_network(devices);
  for (std::size_t p = 0; p < subnetworks.size(); ++p) {
    const Network& network = *subnetworks[p].network;
    std::vector<NodeId> number(subnetworks[p].devices.begin(), subnetworks[p].devices.end());
    for (const std::string& name : network.switch_names) {
      number.push_back(add_switch(whole, fmt::format("subnetwork{}.{}", p, name)));
    }
    for (Link link : network.links) {
      link.from = number[static_cast<std::size_t>(link.from)];
      link.to = number[static_cast<std::size_t>(link.to)];
      add_link(whole, link);
    }
  }
  whole.router = std::make_shared<SideBySideRouter>(subnetworks, devices);
  return whole;
}

}  // namespace loom::fabric
