// Time of a placed group as list scheduling estimates it: without link contention.
#pragma once

#include <vector>

#include "loom/parallelize/exchange.h"

namespace loom::place {

struct GroupPlacement;

// Arrival times at the devices `to` of data that the devices `from` have ready at those times.
std::vector<Duration> arrivals(const std::vector<parallelize::Transfer>& transfers,
                               const std::vector<int>& from, const std::vector<Duration>& ready,
                               const std::vector<int>& to, const parallelize::LinkEstimate& link);

// Duration of the backward pass, with the operators in reverse order.
Duration backward_length(const GroupPlacement& placement, int devices,
                         const parallelize::LinkEstimate& link);

}  // namespace loom::place
