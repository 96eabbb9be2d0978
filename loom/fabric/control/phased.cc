#include "loom/fabric/control/phased.h"

namespace loom {

std::optional<CircuitChange> PhasedControl::decide(Duration /*now*/, bool idle,
                                                   const Waiting& waiting) {
  if (!idle || waiting.held.empty()) return std::nullopt;
  const int next = set_of_[waiting.held.front()];
  if (next == current_) return std::nullopt;
  CircuitChange change =
      change_between(fabric_, network_, sets_[static_cast<std::size_t>(current_)],
                     sets_[static_cast<std::size_t>(next)]);
  current_ = next;
  changing_ = true;
  ++changes_;
  return change;
}

void PhasedControl::lit(Duration /*now*/) { changing_ = false; }

}  // namespace loom
