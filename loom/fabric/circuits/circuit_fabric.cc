#include "loom/fabric/circuits/circuit_fabric.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/error.h"
#include "loom/fabric/network/graph_routes.h"
#include "loom/fabric/network/packet_switch.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace {

// Routes a pair over its own circuit if it has one, otherwise over other devices.
class CircuitRouter final : public Router {
 public:
  CircuitRouter(const Network& network, bool forwarding)
      : first_(static_cast<std::size_t>(network.devices) + 1, 0), latency_(network.links.size()) {
    for (std::size_t l = 0; l < network.links.size(); ++l) {
      to_.push_back(network.links[l].to);
      latency_[l] = network.links[l].latency;
      ++first_[static_cast<std::size_t>(network.links[l].from) + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    if (forwarding) detour_ = graph_router(network, Routing::split, 0, true);
  }

  bool find(DeviceId source, DeviceId destination, std::uint64_t key, const std::vector<bool>& down,
            Route& route) const override {
    const auto begin = to_.begin() + first_[static_cast<std::size_t>(source)];
    const auto end = to_.begin() + first_[static_cast<std::size_t>(source) + 1];
    const auto found = std::lower_bound(begin, end, NodeId(destination));
    if (found != end && *found == destination) {
      const auto link = static_cast<std::size_t>(found - to_.begin());
      if (down.empty() || !down[link]) {
        route.hops = {{LinkId(link)}};
        route.latency = latency_[link];
        return true;
      }
    }
    return detour_ && detour_->find(source, destination, key, down, route);
  }

  bool hashes() const override { return false; }

 private:
  std::vector<int> first_;  // index of the first link per source
  std::vector<NodeId> to_;  // destination per link; links are sorted
  std::vector<Duration> latency_;
  std::shared_ptr<const Router> detour_;
};

}  // namespace

TopologyRules rules_for(int degree) {
  TopologyRules rules;
  rules.options.degree = degree;
  rules.options.known = std::make_shared<StepTable>();
  return rules;
}

bool may_find_topologies(const CircuitFabric& fabric, const OcsLimits& limits) {
  return fabric.best_of_all && fabric.forwarding && fabric.reconfigure != Reconfigure::periodic &&
         limits.wiring.empty() && limits.devices <= kMaxFinderDevices;
}

int CircuitFabric::devices() const {
  return std::visit([](const auto& it) { return it.devices; }, limits);
}

std::optional<Infeasible> violation(const CircuitFabric& fabric, const Circuits& circuits) {
  return std::visit([&](const auto& limits) { return violation(limits, circuits); }, fabric.limits);
}

Network circuit_network(const CircuitFabric& fabric, const std::vector<PairCircuits>& pairs) {
  Network network = bare_network(fabric.devices());
  network.out_of_band = fabric.latency;
  for (const PairCircuits& it : pairs) {
    add_link(network, {NodeId(it.from),
                       NodeId(it.to),
                       {it.count * fabric.circuit.bits_per_second},
                       fabric.latency,
                       std::max(1, it.count)});
  }
  if (fabric.packets) {
    const bool periodic = fabric.reconfigure == Reconfigure::periodic;
    return with_packets(std::move(network), *fabric.packets, periodic);
  }
  network.router = std::make_shared<CircuitRouter>(network, fabric.forwarding);
  return network;
}

Duration lower_bound_on(const CircuitFabric& fabric, const workload::Demand& demand) {
  const auto devices = static_cast<std::size_t>(fabric.devices());
  const auto* ring = std::get_if<RingLimits>(&fabric.limits);
  std::vector<Int128> out(devices, 0);
  std::vector<Int128> in(devices, 0);
  Int128 carried = 0;  // bytes times segments
  for (const workload::PairDemand& it : demand) {
    out[static_cast<std::size_t>(it.from)] += it.bytes.count;
    in[static_cast<std::size_t>(it.to)] += it.bytes.count;
    if (ring == nullptr) continue;
    const int clockwise = ring->arc(it.from, it.to, kClockwise);
    const int arc =
        ring->directions == 1 ? clockwise : std::min(clockwise, ring->devices - clockwise);
    carried += Int128{it.bytes.count} * arc;
  }
  const Int128 max =
      std::max(*std::max_element(out.begin(), out.end()), *std::max_element(in.begin(), in.end()));
  double seconds =
      static_cast<double>(max) * 8 / static_cast<double>(fabric.egress.bits_per_second);
  if (ring != nullptr) {
    const double all = static_cast<double>(ring->devices) * ring->directions * ring->colors() *
                       static_cast<double>(fabric.circuit.bits_per_second);
    seconds = std::max(seconds, static_cast<double>(carried) * 8 / all);
  }
  const double picoseconds = std::min(seconds * 1e12, static_cast<double>(kForever.count()) / 2);
  return Duration(static_cast<std::int64_t>(picoseconds));
}

// Number of circuits that each device can have, out and in.
std::vector<int> circuits_of_devices(const CircuitFabric& fabric) {
  if (const auto* ocs = std::get_if<OcsLimits>(&fabric.limits)) return ocs->ports_of_devices();
  const auto& ring = std::get<RingLimits>(fabric.limits);
  std::vector<int> all(static_cast<std::size_t>(ring.devices), ring.directions * ring.colors());
  return all;
}

int max_peers(const CircuitFabric& fabric) {
  if (fabric.packets) return std::max(1, fabric.devices() - 1);
  const std::vector<int> circuits = circuits_of_devices(fabric);
  return *std::min_element(circuits.begin(), circuits.end());
}

std::optional<Infeasible> never_served(const CircuitFabric& fabric,
                                       const workload::Demand& demand) {
  const auto* ring = std::get_if<RingLimits>(&fabric.limits);
  const auto* ocs = std::get_if<OcsLimits>(&fabric.limits);
  for (const workload::PairDemand& it : demand) {
    if (ring != nullptr && !ring->reaches(it.from, it.to, kClockwise) &&
        !ring->reaches(it.from, it.to, kCounterclockwise)) {
      return Infeasible{
          fmt::format("{} -> {} is beyond the reach of {} segments", it.from, it.to, ring->reach)};
    }
    if (ocs != nullptr && !ocs->share_a_switch(it.from, it.to)) {
      return Infeasible{fmt::format("{} and {} have no switch in common", it.from, it.to)};
    }
  }
  return std::nullopt;
}

std::optional<Infeasible> forwarding_needed(const CircuitFabric& fabric,
                                            const workload::Demand& demand) {
  if (fabric.packets) return std::nullopt;
  if (auto never = never_served(fabric, demand)) return never;
  const std::vector<int> max = circuits_of_devices(fabric);
  std::vector<int> out(static_cast<std::size_t>(fabric.devices()), 0);
  std::vector<int> in(static_cast<std::size_t>(fabric.devices()), 0);
  for (const workload::PairDemand& it : demand) {
    const auto from = static_cast<std::size_t>(it.from);
    const auto to = static_cast<std::size_t>(it.to);
    const bool too_many = ++out[from] > max[from];
    if (too_many || ++in[to] > max[to]) {
      return Infeasible{fmt::format("{} -> {} is one peer too many; the device has {} circuits",
                                    it.from, it.to, too_many ? max[from] : max[to])};
    }
  }
  return std::nullopt;
}

}  // namespace loom::fabric
