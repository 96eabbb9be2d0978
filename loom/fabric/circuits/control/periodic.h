// Periodic reconfiguration: every period, circuits are provisioned again for all unsent bytes.
//
// Many of these bytes cannot be sent yet, because they wait for other messages. If the circuits for
// all unsent bytes let no message move, the next period uses circuits for only the messages that
// are ready and lack a path. So every pair is served eventually.
#pragma once

#include "loom/fabric/circuits/control/control.h"
#include "loom/fabric/circuits/provision/provision.h"

namespace loom::fabric {

class PeriodicControl : public Control {
 public:
  // Needs a network with a link for every pair that may get circuits; `circuits` are the initial
  // circuits.
  PeriodicControl(const CircuitFabric& fabric, const Network& network, Circuits circuits)
      : fabric_(fabric),
        network_(network),
        first_(std::move(circuits)),
        current_(first_),
        next_(fabric.period) {}

  void restart() override;

  Duration switch_time() const override { return fabric_.switch_time; }
  TimePoint next_time() const override { return next_; }
  std::optional<CircuitChange> decide(TimePoint now, bool idle, const Waiting& waiting) override;

  int changes() const { return changes_; }
  // The present circuits; during a change, those that it sets up.
  const Circuits& current() const { return current_; }

 private:
  Circuits circuits_for(const workload::Demand& demand) const;
  std::optional<Duration> soonest(const workload::Demand& demand, const Circuits& circuits) const;
  std::optional<CircuitChange> move_to(Circuits next);

  const CircuitFabric& fabric_;
  const Network& network_;
  Circuits first_;
  Circuits current_;
  TimePoint next_;
  int changes_ = 0;
};

// All pairs to which provision() may give circuits, for any subset of the demand, with the number
// of circuits that each has among `circuits`.
std::vector<PairCircuits> pairs_of(const CircuitFabric& fabric, const workload::Demand& demand,
                                   const Circuits& circuits);

}  // namespace loom::fabric
