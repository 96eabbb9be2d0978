// How long a placed group takes, as list scheduling estimates it: every link to itself.
#pragma once

#include <vector>

#include "loom/parallelize/exchange.h"

namespace loom {

struct GroupPlacement;

// When what these devices have from those moments on is at the devices `to`.
std::vector<Duration> arrivals(const std::vector<Transfer>& transfers, const std::vector<int>& from,
                               const std::vector<Duration>& ready, const std::vector<int>& to,
                               const LinkEstimate& link);

// Of backward, with the operators in the opposite order.
Duration backward_length(const GroupPlacement& placement, int devices, const LinkEstimate& link);

}  // namespace loom
