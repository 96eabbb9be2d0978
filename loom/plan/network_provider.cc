#include "loom/plan/network_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "loom/plan/circuits/provision_demand.h"
#include "loom/plan/circuits/ring_order.h"

namespace loom {

FixedNetworkProvider::FixedNetworkProvider(std::shared_ptr<const Network> network,
                                           std::optional<Algorithm> algorithm)
    : network_(std::move(network)), collectives_(*network_, algorithm) {}

Collective FixedNetworkProvider::choose(const Collective& wanted, const Groups& groups) {
  return collectives_.choose(wanted, groups).collective;
}

MappedJob FixedNetworkProvider::map(LoweredJob lowered) const {
  lowered.workload = with_ring_order(std::move(lowered.workload), *network_);
  return {std::move(lowered), network_, std::nullopt, std::nullopt};
}

// Between adjacent devices: groups are partitioned over consecutive devices.
LinkEstimate FixedNetworkProvider::link() const {
  LinkEstimate link;
  Route route;
  if (network_->devices < 2 || !network_->router->find(0, 1, 0, {}, route)) return link;
  link.latency = route.latency;
  constexpr Int128 kMaxBandwidth = std::numeric_limits<std::int64_t>::max();
  for (std::size_t h = 0; h < route.hops.size(); ++h) {
    const Hop& hop = route.hops[h];
    const Int128 all =
        network_->links[static_cast<std::size_t>(hop.link)].bandwidth.bits_per_second;
    // A link that carries only a fraction of the message acts like one of higher bandwidth.
    const auto effective_bandwidth =
        static_cast<std::int64_t>(std::min<Int128>(all * kWhole / hop.share, kMaxBandwidth));
    link.bandwidth = {h == 0 ? effective_bandwidth
                             : std::min(link.bandwidth.bits_per_second, effective_bandwidth)};
  }
  return link;
}

// Traffic of a pair without a circuit would be forwarded, which a placement can avoid.
PlacementLimits CircuitProvider::limits() const {
  PlacementLimits limits;
  limits.degree = max_peers(fabric_);
  const auto* ring = std::get_if<RingLimits>(&fabric_.limits);
  if (ring != nullptr && ring->reach > 0) limits.ring_distance = ring->reach;
  return limits;
}

CircuitProvider::CircuitProvider(CircuitFabric fabric, std::optional<Algorithm> algorithm)
    : fabric_(std::move(fabric)),
      algorithm_given_(algorithm.has_value()),
      collectives_(fabric_, algorithm) {}

Collective CircuitProvider::choose(const Collective& wanted, const Groups& groups) {
  return collectives_.choose(wanted, groups).collective;
}

Duration CircuitProvider::lower_bound(const LoweredJob& lowered) const {
  return lower_bound_on(fabric_, demand_of(lowered.workload, [&](std::size_t o) {
                          return lowered.tags[o].iteration == lowered.iterations - 1;
                        }));
}

bool CircuitProvider::relax() {
  if (!fabric_.forwarding || forwards_) return false;
  forwards_ = true;
  collectives_.let_forward();
  return true;
}

MappedJob CircuitProvider::map(LoweredJob lowered) const {
  const Demand demand = demand_of(lowered.workload);
  if (auto needed = forwards_ ? std::nullopt : forwarding_needed(fabric_, demand)) {
    return {std::move(lowered), nullptr, std::nullopt, std::move(needed)};
  }
  CircuitSetup setup = provision_demand(fabric_, demand);
  if (!forwards_ && !fabric_.packets && !setup.infeasible && !setup.provisioned.unserved.empty()) {
    const PairDemand& pair = setup.provisioned.unserved.front();
    setup.infeasible =
        Infeasible{fmt::format("no circuit is left for {} -> {}", pair.from, pair.to)};
  }
  return {std::move(lowered), std::make_shared<Network>(std::move(setup.network)),
          std::move(setup.provisioned), std::move(setup.infeasible)};
}

}  // namespace loom
