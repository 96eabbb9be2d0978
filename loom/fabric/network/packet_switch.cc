#include "loom/fabric/network/packet_switch.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace loom::fabric {
namespace {

class HybridRouter final : public Router {
 public:
  HybridRouter(const Network& network, bool turns)
      : first_(static_cast<std::size_t>(network.nodes) + 1, 0),
        packets_(NodeId(network.devices)),
        turns_(turns) {
    for (const Link& link : network.links) {
      to_.push_back(link.to);
      latency_.push_back(link.latency);
      ++first_[static_cast<std::size_t>(link.from) + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  }

  bool find(DeviceId source, DeviceId destination, std::uint64_t /*key*/,
            const std::vector<bool>& down, Route& route) const override {
    const LinkId own = link_between(source, destination);
    if (follow(own, down, route)) return true;
    if (own >= 0 && turns_) return false;
    return follow(link_between(source, packets_), down, route) &&
           follow(link_between(packets_, destination), down, route);
  }

  bool hashes() const override { return false; }

 private:
  // The link from one node to another; -1 if there is none.
  LinkId link_between(NodeId from, NodeId to) const {
    const auto begin = to_.begin() + first_[static_cast<std::size_t>(from)];
    const auto end = to_.begin() + first_[static_cast<std::size_t>(from) + 1];
    const auto found = std::lower_bound(begin, end, to);
    return found != end && *found == to ? LinkId(found - to_.begin()) : LinkId(-1);
  }

  bool follow(LinkId link, const std::vector<bool>& down, Route& route) const {
    if (link < 0 || (!down.empty() && down[static_cast<std::size_t>(link)])) return false;
    route.hops.push_back({link});
    route.latency = add(route.latency, latency_[static_cast<std::size_t>(link)]);
    return true;
  }

  std::vector<int> first_;  // index of the first link per source
  std::vector<NodeId> to_;  // target of each link; links are sorted
  std::vector<Duration> latency_;
  NodeId packets_;  // the node of the packet switch
  bool turns_;
};

}  // namespace

Network with_packets(Network circuits, const PacketSwitch& packets, bool turns) {
  const NodeId node = add_switch(circuits, "packets");
  for (DeviceId device(0); device < circuits.devices; ++device) {
    add_link(circuits, {device, node, packets.bandwidth, packets.latency});
    add_link(circuits, {node, device, packets.bandwidth});
  }
  std::sort(circuits.links.begin(), circuits.links.end(), [](const Link& a, const Link& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  circuits.router = std::make_shared<HybridRouter>(circuits, turns);
  return circuits;
}

}  // namespace loom::fabric
