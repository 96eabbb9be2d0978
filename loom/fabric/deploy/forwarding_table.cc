#include "loom/fabric/deploy/forwarding_table.h"

#include <algorithm>
#include <map>

#include "loom/fabric/network/graph.h"

namespace loom::fabric {
namespace {

// Load on each link for one destination. Transit links are self-loops and are left out.
class Flow {
 public:
  explicit Flow(const Network& network)
      : network_(network), out_(static_cast<std::size_t>(network.devices)) {}

  void add(const Route& route, double bytes) {
    for (const Hop& hop : route.hops) {
      const Link& link = network_.links[static_cast<std::size_t>(hop.link)];
      if (link.from == link.to) continue;
      out_[static_cast<std::size_t>(link.from)][hop.link] +=
          bytes * static_cast<double>(hop.share) / kWhole;
    }
  }

  // Reduces every cycle by its smallest flow, which removes at least one link from it.
  void free_of_circles() {
    state_.assign(out_.size(), State::fresh);
    for (int device = 0; device < network_.devices; ++device) {
      while (!visit(NodeId(device))) state_.assign(out_.size(), State::fresh);
    }
  }

  std::vector<NextLink> from(NodeId device) const {
    const auto& links = out_[static_cast<std::size_t>(device)];
    double sum = 0;
    for (const auto& it : links) sum += it.second;
    std::vector<NextLink> next;
    for (const auto& it : links) next.push_back({it.first, it.second / sum});
    return next;
  }

 private:
  enum class State : std::uint8_t { fresh, on_path, done };

  // Searches for cycles from a device. Returns false if it has found and removed one.
  bool visit(NodeId device) {
    State& state = state_[static_cast<std::size_t>(device)];
    if (state == State::done) return true;
    state = State::on_path;
    for (const auto& it : out_[static_cast<std::size_t>(device)]) {
      const NodeId to = network_.links[static_cast<std::size_t>(it.first)].to;
      path_.push_back(it.first);
      if (state_[static_cast<std::size_t>(to)] == State::on_path) {
        take_out_circle(to);
        return false;
      }
      if (!visit(to)) return false;
      path_.pop_back();
    }
    state = State::done;
    return true;
  }

  void take_out_circle(NodeId begin) {
    std::size_t first = path_.size();
    double min_flow = 0;
    do {
      --first;
      const double here = flow(path_[first]);
      min_flow = first + 1 == path_.size() ? here : std::min(min_flow, here);
    } while (network_.links[static_cast<std::size_t>(path_[first])].from != begin);
    for (std::size_t i = first; i < path_.size(); ++i) {
      double& here = flow(path_[i]);
      here -= min_flow;
      if (here <= 0) {
        const NodeId from = network_.links[static_cast<std::size_t>(path_[i])].from;
        out_[static_cast<std::size_t>(from)].erase(path_[i]);
      }
    }
    path_.clear();
  }

  double& flow(LinkId link) {
    const NodeId from = network_.links[static_cast<std::size_t>(link)].from;
    return out_[static_cast<std::size_t>(from)].at(link);
  }

  const Network& network_;
  std::vector<std::map<LinkId, double>> out_;  // by device: links and bytes
  std::vector<State> state_;
  std::vector<LinkId> path_;
};

}  // namespace

NextLinks forwarding_to(const Network& network, DeviceId destination,
                        const workload::Demand& demand) {
  Flow flow(network);
  for (const workload::PairDemand& it : demand) {
    Route route;
    if (it.to != destination || it.from == it.to) continue;
    if (!network.router->find(DeviceId(it.from), destination, 0, {}, route)) continue;
    flow.add(route, static_cast<double>(it.bytes.count));
  }
  flow.free_of_circles();
  const Graph graph = graph_of(network, true);
  const Distances distances = distances_to(graph, destination, {});
  const auto left = [&](NodeId node) { return distances.length[static_cast<std::size_t>(node)]; };
  NextLinks next(static_cast<std::size_t>(network.devices));
  for (DeviceId device(0); device < network.devices; ++device) {
    if (device == destination || left(device) == kUnreached) continue;
    std::vector<NextLink>& here = next[static_cast<std::size_t>(device)];
    here = flow.from(device);
    for (const LinkId link : graph.leaving(device)) {
      if (!here.empty()) break;
      const NodeId to = graph.links[static_cast<std::size_t>(link)].to;
      if (left(to) == left(device) - 1) here.push_back({link, 1});
    }
  }
  return next;
}

}  // namespace loom::fabric
