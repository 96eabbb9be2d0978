// Provides the network on which a candidate strategy is evaluated: a fixed network, or circuits
// provisioned for each strategy. Thread-safe.
#pragma once

#include <memory>
#include <optional>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/place/lower.h"
#include "loom/place/peers.h"
#include "loom/plan/circuits/circuit_collectives.h"
#include "loom/plan/circuits/circuit_layouts.h"
#include "loom/plan/job_collectives.h"
#include "loom/plan/mapped_job.h"
#include "loom/plan/rank_bound.h"

namespace loom::plan {

class NetworkProvider {
 public:
  virtual ~NetworkProvider() = default;

  virtual int devices() const = 0;

  // Lower bound on the mean time of a rank in the collective, by whichever algorithm choose() may
  // select (rank_bound.h).
  virtual Duration rank_bound(const workload::Collective& wanted,
                              const workload::Groups& groups) = 0;

  // Whether it matters which devices communicate: on a single switch, all pairs are equivalent.
  virtual bool distance_matters() const { return false; }

  // Whether it provisions circuits for each job, which takes longer than to find a network.
  virtual bool provisions() const { return false; }

  // Limits for the placement of operators, and the link that its estimates assume.
  virtual place::PlacementLimits limits() const { return {}; }
  virtual parallelize::LinkEstimate link() const = 0;

  // Chooses the algorithm of a collective of a job.
  virtual workload::Collective choose(const workload::Collective& wanted,
                                      const workload::Groups& groups) = 0;

  // Near-optimal algorithms for a collective of a job, fastest in isolation first; at most one if
  // there is nothing to choose.
  virtual std::vector<workload::Collective> alternatives(const workload::Collective& /*wanted*/,
                                                         const workload::Groups& /*groups*/) {
    return {};
  }

  // Lower bound on the iteration time of the job on any network.
  virtual Duration lower_bound(const place::LoweredJob& /*lowered*/) const { return Duration(0); }

  // The circuits among which map() chooses for a job; none on a fixed network, or if the job cannot
  // have circuits for all its pairs.
  virtual CircuitLayouts::List layouts(const place::LoweredJob& /*lowered*/) const { return {}; }

  // Provides the network for a job whose collective algorithms choose() selected. The algorithms
  // may be replaced by rings that the network has circuits for.
  virtual MappedJob map(place::LoweredJob lowered) const = 0;

  // Whether the user fixed the algorithm of all collectives.
  virtual bool algorithm_given() const { return false; }
};

// Provides one fixed network. Collectives use `algorithm` wherever it can perform them; if unset,
// the fastest algorithm.
class FixedNetworkProvider final : public NetworkProvider {
 public:
  FixedNetworkProvider(std::shared_ptr<const fabric::Network> network,
                       std::optional<workload::Algorithm> algorithm);

  int devices() const override { return network_->devices; }
  Duration rank_bound(const workload::Collective& wanted, const workload::Groups& groups) override {
    return collectives_.bound(wanted, groups);
  }
  parallelize::LinkEstimate link() const override;
  bool distance_matters() const override;
  workload::Collective choose(const workload::Collective& wanted,
                              const workload::Groups& groups) override;
  std::vector<workload::Collective> alternatives(const workload::Collective& wanted,
                                                 const workload::Groups& groups) override {
    return collectives_.alternatives(wanted, groups);
  }
  MappedJob map(place::LoweredJob lowered) const override;

  // The isolated times of all collectives estimated so far.
  simulate::IsolatedTimes& times() { return collectives_.times(); }

 private:
  std::shared_ptr<const fabric::Network> network_;
  mutable JobCollectives collectives_;  // a cache
};

// Provisions circuits for each job, and keeps those with which the coarse engine predicts the
// shortest iteration. Pairs without a circuit of their own send over other devices, if these
// forward.
class CircuitProvider final : public NetworkProvider {
 public:
  CircuitProvider(fabric::CircuitFabric fabric, std::optional<workload::Algorithm> algorithm,
                  LayoutEffort effort = LayoutEffort::quick);

  int devices() const override { return fabric_.devices(); }
  Duration rank_bound(const workload::Collective& wanted, const workload::Groups& groups) override {
    return mean_rank_bound(wanted, groups.size, fabric_);
  }
  bool distance_matters() const override {
    return std::holds_alternative<fabric::RingLimits>(fabric_.limits);
  }
  bool provisions() const override { return true; }
  place::PlacementLimits limits() const override;
  parallelize::LinkEstimate link() const override { return {fabric_.egress, fabric_.latency}; }
  workload::Collective choose(const workload::Collective& wanted,
                              const workload::Groups& groups) override;
  Duration lower_bound(const place::LoweredJob& lowered) const override;
  CircuitLayouts::List layouts(const place::LoweredJob& lowered) const override;
  MappedJob map(place::LoweredJob lowered) const override;
  bool algorithm_given() const override { return algorithm_given_; }

 private:
  // Why the job cannot have circuits for all its pairs, if devices do not forward.
  std::optional<Infeasible> refusal(const place::LoweredJob& lowered) const;

  fabric::CircuitFabric fabric_;
  bool algorithm_given_ = false;
  CircuitCollectives collectives_;
  CircuitLayouts layouts_;
};

// The job on circuits.
MappedJob on_circuits(place::LoweredJob lowered, const CircuitLayout& layout);

}  // namespace loom::plan
