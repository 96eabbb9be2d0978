// Circuits that follow what waits: every period they are chosen anew for all that is still to be
// sent. Of that much may wait for other messages. Where circuits for all of it let nothing go,
// those that wait for nothing else have them for a period: so every pair has its turn.
#pragma once

#include "loom/fabric/circuits/control/control.h"

namespace loom {

class PeriodicControl final : public Control {
 public:
  // Needs that the network has a link for every pair that may be lit; `lit` are its circuits.
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
  Circuits circuits_for(const Demand& demand) const;
  std::optional<Duration> soonest(const Demand& demand, const Circuits& circuits) const;
  std::optional<CircuitChange> move_to(Circuits next);

  const CircuitFabric& fabric_;
  const Network& network_;
  Circuits first_;
  Circuits current_;
  Duration next_;
  int changes_ = 0;
};

// Every pair that provision() may light for any part of the demand.
std::vector<PairCircuits> pairs_of(const CircuitFabric& fabric, const Demand& demand,
                                   const Circuits& circuits);

}  // namespace loom
