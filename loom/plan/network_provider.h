// What a job runs over while strategies are tried: a network that is there, or circuits that are
// lit for each strategy anew. Many threads may ask a ground, but not while it is relaxed.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/place/lower.h"
#include "loom/place/peers.h"
#include "loom/plan/circuits/circuit_collectives.h"
#include "loom/plan/job_collectives.h"

namespace loom {

// A job as operations, and the network that carries it.
struct MappedJob {
  LoweredJob lowered;
  std::shared_ptr<const Network> network;
  std::optional<Provisioned> provisioned;  // where the network is made of circuits
  std::string infeasible;                  // why it cannot be carried; "" if it can
};

class NetworkProvider {
 public:
  virtual ~NetworkProvider() = default;

  virtual int devices() const = 0;

  // What collectives cost at least, with the ground to themselves.
  virtual CollectiveEstimates& cheapest() = 0;

  // What the placement of operators has to keep to, and what it may expect of a link.
  virtual PlacementLimits limits() const { return {}; }
  virtual LinkEstimate link() const = 0;

  // The algorithm for a collective of a job.
  virtual Collective choose(const Collective& wanted, const Groups& groups) = 0;

  // No network carries an iteration of the job in less.
  virtual Duration lower_bound(const LoweredJob& /*lowered*/) const { return Duration(0); }

  // Where no job could be carried: lets devices forward, if they may and did not yet.
  virtual bool relax() { return false; }

  // The network for a job whose collectives were so chosen.
  virtual MappedJob map(LoweredJob lowered) const = 0;

  // Whether an algorithm was asked for.
  virtual bool algorithm_given() const { return false; }
};

// `algorithm` is taken wherever it can do a collective; without, the cheapest.
class FixedNetworkProvider final : public NetworkProvider {
 public:
  FixedNetworkProvider(std::shared_ptr<const Network> network, std::optional<Algorithm> algorithm);

  int devices() const override { return network_->devices; }
  CollectiveEstimates& cheapest() override { return collectives_; }
  LinkEstimate link() const override;
  Collective choose(const Collective& wanted, const Groups& groups) override;
  MappedJob map(LoweredJob lowered) const override;

 private:
  std::shared_ptr<const Network> network_;
  JobCollectives collectives_;
};

// Every pair of a job has circuits of its own; only where no strategy can be so, others forward.
class CircuitProvider final : public NetworkProvider {
 public:
  CircuitProvider(CircuitFabric fabric, std::optional<Algorithm> algorithm);

  int devices() const override { return fabric_.devices(); }
  CollectiveEstimates& cheapest() override { return collectives_; }
  PlacementLimits limits() const override;
  LinkEstimate link() const override { return {fabric_.egress, fabric_.latency}; }
  Collective choose(const Collective& wanted, const Groups& groups) override;
  Duration lower_bound(const LoweredJob& lowered) const override;
  bool relax() override;
  MappedJob map(LoweredJob lowered) const override;
  bool algorithm_given() const override { return algorithm_given_; }

 private:
  CircuitFabric fabric_;
  bool algorithm_given_ = false;
  CircuitCollectives collectives_;
  bool forwards_ = false;
};

}  // namespace loom
