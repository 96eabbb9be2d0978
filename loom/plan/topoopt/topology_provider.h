// Network provider that finds a topology for the traffic of each strategy (TopoOpt).
#pragma once

#include "loom/plan/network_provider.h"

namespace loom::plan {

// Collectives use `algorithm` if it is given and can perform them, otherwise rings wherever
// possible: the order of ranks on a ring is free, so the topology can provide rings for them.
class TopologyProvider final : public NetworkProvider {
 public:
  TopologyProvider(fabric::CircuitFabric fabric, std::optional<workload::Algorithm> algorithm)
      : fabric_(std::move(fabric)), algorithm_(algorithm) {}

  int devices() const override { return fabric_.devices(); }
  Duration rank_bound(const workload::Collective& wanted, const workload::Groups& groups) override {
    return mean_rank_bound(wanted, groups.size, fabric_);
  }
  bool provisions() const override { return true; }
  parallelize::LinkEstimate link() const override { return {fabric_.egress, fabric_.latency}; }
  workload::Collective choose(const workload::Collective& wanted,
                              const workload::Groups& groups) override;
  Duration lower_bound(const place::LoweredJob& lowered) const override;
  MappedJob map(place::LoweredJob lowered) const override;
  bool algorithm_given() const override { return algorithm_.has_value(); }

 private:
  fabric::CircuitFabric fabric_;
  std::optional<workload::Algorithm> algorithm_;
};

// Returns the provider for a circuit fabric. If circuits are reconfigured periodically, a pair
// without a circuit waits for one; strategies are estimated as if its traffic were forwarded.
std::unique_ptr<NetworkProvider> circuit_provider(const fabric::CircuitFabric& fabric,
                                                  std::optional<workload::Algorithm> algorithm,
                                                  LayoutEffort effort = LayoutEffort::quick);

}  // namespace loom::plan
