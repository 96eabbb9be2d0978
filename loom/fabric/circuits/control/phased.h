// Phased reconfiguration: every operation belongs to a set of circuits, and its messages are held
// until that set is in place. The set changes once no message moves any more; the next set is that
// of the first held message.
#pragma once

#include <map>
#include <utility>

#include "loom/fabric/circuits/control/control.h"

namespace loom::fabric {

class PhasedControl : public Control {
 public:
  // `set_of` gives the set of each operation. The network starts with the first set.
  PhasedControl(const CircuitFabric& fabric, const Network& network, std::vector<Circuits> sets,
                std::vector<int> set_of)
      : fabric_(fabric), network_(network), sets_(std::move(sets)), set_of_(std::move(set_of)) {}

  std::optional<CircuitPlan> plan() const override;
  void restart() override;
  Duration switch_time() const override { return fabric_.switch_time; }
  bool admits(OperationId operation) const override {
    return !changing_ && set_of_[operation] == current_;
  }
  std::optional<CircuitChange> decide(TimePoint now, bool idle, const Waiting& waiting) override;
  void switched(TimePoint now) override;

  int changes() const { return changes_; }
  int current_set() const { return current_; }  // during a change, the set that it sets up

 private:
  const CircuitFabric& fabric_;
  const Network& network_;
  std::vector<Circuits> sets_;
  std::vector<int> set_of_;
  int current_ = 0;
  bool changing_ = false;
  int changes_ = 0;
  // per (old set, new set), filled on first use
  std::map<std::pair<int, int>, CircuitChange> between_;
};

}  // namespace loom::fabric
