#include "loom/plan/network_provider.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "loom/plan/circuits/ring_order.h"

namespace loom::plan {

FixedNetworkProvider::FixedNetworkProvider(std::shared_ptr<const fabric::Network> network,
                                           std::optional<workload::Algorithm> algorithm)
    : network_(std::move(network)), collectives_(*network_, algorithm) {}

workload::Collective FixedNetworkProvider::choose(const workload::Collective& wanted,
                                                  const workload::Groups& groups) {
  return collectives_.choose(wanted, groups).collective;
}

MappedJob FixedNetworkProvider::map(place::LoweredJob lowered) const {
  lowered.workload = with_ring_order(std::move(lowered.workload), *network_);
  return {std::move(lowered), network_, std::nullopt, std::nullopt, &collectives_.times()};
}

bool FixedNetworkProvider::distance_matters() const {
  if (network_->full_bisection) return false;
  const bool joins_devices =
      std::any_of(network_->links.begin(), network_->links.end(), [&](const fabric::Link& it) {
        return it.from < network_->devices && it.to < network_->devices;
      });
  return joins_devices || network_->links.size() > 2 * static_cast<std::size_t>(network_->devices);
}

// The path between devices 0 and 1: the devices of a group are consecutive.
parallelize::LinkEstimate FixedNetworkProvider::link() const {
  parallelize::LinkEstimate link;
  fabric::Route route;
  if (network_->devices < 2 || !network_->router->find(DeviceId(0), DeviceId(1), 0, {}, route))
    return link;
  link.latency = route.latency;
  constexpr Int128 kMaxBandwidth = std::numeric_limits<std::int64_t>::max();
  for (std::size_t h = 0; h < route.hops.size(); ++h) {
    const fabric::Hop& hop = route.hops[h];
    const Int128 all =
        network_->links[static_cast<std::size_t>(hop.link)].bandwidth.bits_per_second;
    // A link that carries a fraction of the message acts like a link of higher bandwidth.
    const auto effective_bandwidth = static_cast<std::int64_t>(
        std::min<Int128>(all * fabric::kWhole / hop.share, kMaxBandwidth));
    link.bandwidth = {h == 0 ? effective_bandwidth
                             : std::min(link.bandwidth.bits_per_second, effective_bandwidth)};
  }
  return link;
}

// Limits on peers: a pair without a circuit needs forwarding, which a placement can avoid.
place::PlacementLimits CircuitProvider::limits() const {
  place::PlacementLimits limits;
  limits.degree = max_peers(fabric_);
  const auto* ring = std::get_if<fabric::RingLimits>(&fabric_.limits);
  if (ring != nullptr && ring->reach > 0) limits.ring_distance = ring->reach;
  return limits;
}

CircuitProvider::CircuitProvider(fabric::CircuitFabric fabric,
                                 std::optional<workload::Algorithm> algorithm, LayoutEffort effort)
    : fabric_(std::move(fabric)),
      algorithm_given_(algorithm.has_value()),
      collectives_(fabric_, algorithm),
      layouts_(fabric_, effort) {}

workload::Collective CircuitProvider::choose(const workload::Collective& wanted,
                                             const workload::Groups& groups) {
  return collectives_.choose(wanted, groups).collective;
}

Duration CircuitProvider::lower_bound(const place::LoweredJob& lowered) const {
  return lower_bound_on(fabric_, demand_of(lowered.workload, [&](std::size_t o) {
                          return lowered.tags[o].iteration == lowered.iterations - 1;
                        }));
}

std::optional<Infeasible> CircuitProvider::refusal(const place::LoweredJob& lowered) const {
  if (fabric_.forwarding) return std::nullopt;
  return forwarding_needed(fabric_, demand_of(lowered.workload));
}

CircuitLayouts::List CircuitProvider::layouts(const place::LoweredJob& lowered) const {
  if (refusal(lowered)) return {};
  return layouts_.of(lowered.workload);
}

MappedJob CircuitProvider::map(place::LoweredJob lowered) const {
  if (auto no = refusal(lowered)) {
    return {std::move(lowered), nullptr, std::nullopt, std::move(no)};
  }
  const CircuitLayouts::List all = layouts_.of(lowered.workload);
  if (all.size() == 1) return on_circuits(std::move(lowered), *all.front());
  MappedJob best;
  for (const auto& layout : all) {
    if (best.predicted && layout->busiest / lowered.iterations >= *best.predicted) break;
    MappedJob job = on_circuits(lowered, *layout);
    job.predicted = predicted_time(job);
    if (!best.predicted || *job.predicted < *best.predicted) best = std::move(job);
  }
  return best;
}

MappedJob on_circuits(place::LoweredJob lowered, const CircuitLayout& layout) {
  lowered.workload = on_layout(std::move(lowered.workload), layout);
  return {std::move(lowered), layout.network, layout.provisioned, layout.infeasible};
}

}  // namespace loom::plan
