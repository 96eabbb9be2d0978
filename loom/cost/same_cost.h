// The largest bandwidth at which one fabric costs, or draws, no more than another.
//
// Cost does not fall with bandwidth, so bisection finds the largest bandwidth that a budget pays
// for, even if prices rise in steps. A budget is a price in microdollars or a power in microwatts.
// The resolution is 1 Mbps. A fabric may be impossible to build below a lower and above an upper
// bandwidth, but must be possible at all bandwidths in between.
#pragma once

#include <functional>
#include <optional>

#include "loom/base/units.h"

namespace loom::cost {

enum class Affordable : std::uint8_t { found, too_dear, unlimited, impossible };

struct SameCost {
  Affordable outcome = Affordable::impossible;
  Bandwidth bandwidth;  // if found; if too_dear, the lowest one that can be built
};

// `cost_at` returns the cost at a bandwidth, or nothing if the fabric cannot be built with it.
// too_dear: the fabric exceeds the budget at every bandwidth; unlimited: at none; impossible: the
// fabric cannot be built with any bandwidth.
SameCost largest_bandwidth(std::int64_t budget,
                           const std::function<std::optional<std::int64_t>(Bandwidth)>& cost_at);

}  // namespace loom::cost
