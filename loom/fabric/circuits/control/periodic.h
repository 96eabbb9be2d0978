// Periodic reconfiguration: every period, circuits are provisioned again for all unsent bytes.
//
// Much of that demand may be waiting for other messages. If circuits for all of it let nothing
// move, the messages that wait only for a path get the circuits for one period, so every pair is
// served eventually.
#pragma once

#include "loom/fabric/circuits/control/control.h"

namespace loom::fabric {

class PeriodicControl final : public Control {
 public:
  // Needs a network with a link for every pair that may get circuits; `circuits` are set up
  // initially.
  PeriodicControl(const CircuitFabric& fabric, const Network& network, Circuits circuits)
      : fabric_(fabric),
        network_(network),
        first_(std::move(circuits)),
        current_(first_),
        next_(fabric.period) {}

  void restart() override;

  Duration switch_time() const override { return fabric_.switch_time; }
  Duration next_time() const override { return next_; }
  std::optional<CircuitChange> decide(Duration now, bool idle, const Waiting& waiting) override;

  int changes() const { return changes_; }

 private:
  Circuits circuits_for(const workload::Demand& demand) const;
  std::optional<Duration> soonest(const workload::Demand& demand, const Circuits& circuits) const;
  std::optional<CircuitChange> move_to(Circuits next);

  const CircuitFabric& fabric_;
  const Network& network_;
  Circuits first_;
  Circuits current_;
  Duration next_;
  int changes_ = 0;
};

// Every pair that provision() may give circuits for any subset of the demand.
std::vector<PairCircuits> pairs_of(const CircuitFabric& fabric, const workload::Demand& demand,
                                   const Circuits& circuits);

}  // namespace loom::fabric
