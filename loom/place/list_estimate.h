// Estimates the times of a placed group for list scheduling, without link contention.
#pragma once

#include <vector>

#include "loom/parallelize/exchange.h"

namespace loom::place {

struct GroupPlacement;

// Returns the time at which the transfers have delivered their data to each device of `to`;
// `ready[i]` is the time at which device `from[i]` can send.
std::vector<Duration> arrivals(const std::vector<parallelize::Transfer>& transfers,
                               const std::vector<int>& from, const std::vector<Duration>& ready,
                               const std::vector<int>& to, const parallelize::LinkEstimate& link);

// Duration of the backward pass, which runs the operators in reverse order.
Duration backward_length(const GroupPlacement& placement, int devices,
                         const parallelize::LinkEstimate& link);

}  // namespace loom::place
