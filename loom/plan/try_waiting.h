// Tries to wait for communication that could overlap with computation.
//
// Overlap usually hides time. But traffic that starts later contends with other traffic, and a
// message that waits sometimes leaves a link to one that is more urgent. So the fastest strategies
// are also tried with gradients reduced after the backward pass, and with stages that wait for
// their sends.
#pragma once

#include "loom/plan/strategies.h"

namespace loom::plan {

struct Waiting {
  bool gradients = false;  // gradients are reduced after the backward pass
  bool sends = false;      // a stage waits for its sends to the next

  bool any() const { return gradients || sends; }
};

// What the fastest strategy should wait for, confirmed by the fluid engine if it simulated the
// strategies. If it waits for anything, `spec` and the times of the strategy, which comes first in
// the ranking, are changed accordingly.
Waiting try_waiting(JobSpec& spec, NetworkProvider& provider, const Confirmation& confirmation,
                    StrategySearch& search);

}  // namespace loom::plan
