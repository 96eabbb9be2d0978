// Network provider that finds a topology for the traffic of each strategy (TopoOpt).
#pragma once

#include "loom/plan/network_provider.h"

namespace loom::plan {

// Lower bounds on the times of collectives on any topology, from a device's egress bandwidth.
class EgressEstimates final : public CollectiveEstimates {
 public:
  EgressEstimates(Bandwidth egress, std::optional<workload::Algorithm> algorithm)
      : egress_(egress), algorithm_(algorithm) {}

  const AlgorithmEstimate& choose(const workload::Collective& wanted,
                                  const workload::Groups& groups) override;

 private:
  AlgorithmEstimate estimate(const workload::Collective& wanted, int ranks) const;

  Bandwidth egress_;
  std::optional<workload::Algorithm> algorithm_;
  Cache<std::tuple<workload::CollectiveKind, int, std::int64_t>, AlgorithmEstimate> known_;
};

// Collectives use `algorithm` if it is given and can perform them, otherwise rings wherever
// possible: the order of ranks on a ring is free, so the topology can provide rings for them.
class TopologyProvider final : public NetworkProvider {
 public:
  TopologyProvider(fabric::CircuitFabric fabric, std::optional<workload::Algorithm> algorithm)
      : fabric_(std::move(fabric)),
        algorithm_given_(algorithm.has_value()),
        estimates_(fabric_.egress, algorithm) {}

  int devices() const override { return fabric_.devices(); }
  CollectiveEstimates& cheapest() override { return estimates_; }
  parallelize::LinkEstimate link() const override { return {fabric_.egress, fabric_.latency}; }
  workload::Collective choose(const workload::Collective& wanted,
                              const workload::Groups& groups) override {
    return estimates_.choose(wanted, groups).collective;
  }
  Duration lower_bound(const place::LoweredJob& lowered) const override;
  MappedJob map(place::LoweredJob lowered) const override;
  bool algorithm_given() const override { return algorithm_given_; }

 private:
  fabric::CircuitFabric fabric_;
  bool algorithm_given_ = false;
  EgressEstimates estimates_;
};

// Returns the provider for a circuit fabric. If circuits are reconfigured periodically, a pair
// without a circuit waits for one; strategies are estimated as if its traffic were forwarded.
std::unique_ptr<NetworkProvider> circuit_provider(const fabric::CircuitFabric& fabric,
                                                  std::optional<workload::Algorithm> algorithm);

}  // namespace loom::plan
