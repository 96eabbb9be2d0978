#include "loom/plan/topoopt/topology_provider.h"

#include <algorithm>

#include "loom/fabric/circuits/provision/provision.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/workload/demand.h"

namespace loom::plan {
namespace {

// Minimum number of bytes that the busiest rank sends, with any algorithm.
Bytes min_bytes_sent(const workload::Collective& wanted, int ranks) {
  const std::int64_t size = wanted.size.count;
  switch (wanted.kind) {
    case workload::CollectiveKind::all_reduce:
      return {static_cast<std::int64_t>(Int128{2} * size * (ranks - 1) / ranks)};
    case workload::CollectiveKind::reduce_scatter:
    case workload::CollectiveKind::all_gather:
    case workload::CollectiveKind::all_to_all:
      return {static_cast<std::int64_t>(Int128{size} * (ranks - 1) / ranks)};
    case workload::CollectiveKind::broadcast:
    case workload::CollectiveKind::point_to_point:
      break;
  }
  return ranks > 1 ? wanted.size : Bytes{0};
}

workload::Algorithm algorithm_of(workload::CollectiveKind kind,
                                 std::optional<workload::Algorithm> asked) {
  const std::vector<workload::Algorithm> can = algorithms_for(kind);
  const bool can_do = asked && *asked != workload::Algorithm::rings &&
                      *asked != workload::Algorithm::hierarchical &&
                      std::find(can.begin(), can.end(), *asked) != can.end();
  return can_do ? *asked : can.front();
}

}  // namespace

AlgorithmEstimate EgressEstimates::estimate(const workload::Collective& wanted, int ranks) const {
  AlgorithmEstimate estimated{wanted, {}};
  estimated.collective.algorithm = algorithm_of(wanted.kind, algorithm_);
  const double seconds = static_cast<double>(min_bytes_sent(wanted, ranks).count) * 8 /
                         static_cast<double>(egress_.bits_per_second);
  estimated.predicted = Duration(static_cast<std::int64_t>(
      std::min(seconds * 1e12, static_cast<double>(kForever.count()) / 2)));
  return estimated;
}

const AlgorithmEstimate& EgressEstimates::choose(const workload::Collective& wanted,
                                                 const workload::Groups& groups) {
  return known_.answer({wanted.kind, groups.size, wanted.size.count},
                       [&] { return estimate(wanted, groups.size); });
}

Duration TopologyProvider::lower_bound(const place::LoweredJob& lowered) const {
  return lower_bound_on(fabric_, demand_of(lowered.workload, [&](std::size_t o) {
                          return lowered.tags[o].iteration == lowered.iterations - 1;
                        }));
}

MappedJob TopologyProvider::map(place::LoweredJob lowered) const {
  fabric::CircuitSetup setup = provision_workload(fabric_, lowered.workload);
  return {std::move(lowered), std::make_shared<fabric::Network>(std::move(setup.network)),
          std::move(setup.provisioned), std::move(setup.infeasible)};
}

std::unique_ptr<NetworkProvider> circuit_provider(const fabric::CircuitFabric& fabric,
                                                  std::optional<workload::Algorithm> algorithm) {
  if (fabric.topology) return std::make_unique<TopologyProvider>(fabric, algorithm);
  fabric::CircuitFabric estimated = fabric;
  if (fabric.reconfigure == fabric::Reconfigure::periodic && !fabric.packets) {
    estimated.forwarding = true;
    if (!estimated.provisioner->connects) estimated.provisioner = &fabric::kMaxMin;
  }
  return std::make_unique<CircuitProvider>(std::move(estimated), algorithm);
}

}  // namespace loom::plan
