#include "loom/fabric/circuits/control/phased.h"

namespace loom::fabric {

std::optional<CircuitPlan> PhasedControl::plan() const {
  CircuitPlan plan;
  for (const Circuits& set : sets_) plan.sets.push_back(link_bandwidths(fabric_, network_, set));
  plan.set_of = set_of_;
  return plan;
}

void PhasedControl::restart() {
  current_ = 0;
  changing_ = false;
  changes_ = 0;
}

std::optional<CircuitChange> PhasedControl::decide(TimePoint /*now*/, bool idle,
                                                   const Waiting& waiting) {
  if (!idle || waiting.held.empty()) return std::nullopt;
  const int next = set_of_[waiting.held.front()];
  if (next == current_) return std::nullopt;
  const auto known = between_.try_emplace({current_, next});
  if (known.second) {
    known.first->second =
        change_between(fabric_, network_, sets_[static_cast<std::size_t>(current_)],
                       sets_[static_cast<std::size_t>(next)]);
  }
  current_ = next;
  changing_ = true;
  ++changes_;
  return known.first->second;
}

void PhasedControl::switched(TimePoint /*now*/) { changing_ = false; }

}  // namespace loom::fabric
