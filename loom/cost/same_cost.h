// The bandwidth at which one fabric costs no more than another.
//
// The cost of a fabric does not fall with its bandwidth, so the largest that a budget pays for is
// found by bisection, also where prices go up in steps. It is counted in whole Mbps. A fabric may
// refuse to be built with too little or too much bandwidth; between, it can be.
#pragma once

#include <functional>
#include <optional>

#include "loom/base/units.h"

namespace loom {

enum class Affordable : std::uint8_t { found, too_dear, unlimited, impossible };

struct SameCost {
  Affordable outcome = Affordable::impossible;
  Bandwidth bandwidth;  // where found
};

// `cost_at` a bandwidth is the cost, or nothing where the fabric cannot be built so. too_dear: the
// least bandwidth costs more than the budget; unlimited: so does none; impossible: it can be built
// with no bandwidth.
SameCost largest_bandwidth(Money budget,
                           const std::function<std::optional<Money>(Bandwidth)>& cost_at);

}  // namespace loom
