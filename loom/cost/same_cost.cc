#include "loom/cost/same_cost.h"

namespace loom::cost {
namespace {

constexpr std::int64_t kStep = 1'000'000;  // 1 Mbps
constexpr std::int64_t kMaxSteps = kLargestBandwidth.bits_per_second / kStep;

Bandwidth bandwidth_of(std::int64_t steps) { return {steps * kStep}; }

}  // namespace

SameCost largest_bandwidth(std::int64_t budget,
                           const std::function<std::optional<std::int64_t>(Bandwidth)>& cost_at) {
  // Looks for a bandwidth at which the fabric can be built: from 100 Gbps outward, by factors of 2.
  constexpr std::int64_t kUsual = 100'000;
  std::int64_t built = 0;
  for (std::int64_t factor = 1; built == 0 && factor <= kUsual; factor *= 2) {
    for (const std::int64_t steps : {kUsual * factor, kUsual / factor}) {
      if (built == 0 && steps <= kMaxSteps && cost_at(bandwidth_of(steps))) built = steps;
    }
  }
  if (built == 0) return {Affordable::impossible, {}};
  // Bisection: the answer, if any, is at least `low` and below `high`. If `built` is too expensive,
  // unbuildable bandwidths in this range are too small; otherwise they are too large.
  const bool up = *cost_at(bandwidth_of(built)) <= budget;
  std::int64_t low = up ? built : 0;
  std::int64_t high = up ? kMaxSteps + 1 : built;
  bool found = up;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    const std::optional<std::int64_t> cost = cost_at(bandwidth_of(middle));
    const bool too_little = !up && !cost;
    const bool paid = cost && *cost <= budget;
    found = found || paid;
    (paid || too_little ? low : high) = middle;
  }
  if (!found) return {Affordable::too_dear, bandwidth_of(high)};
  if (low == kMaxSteps) return {Affordable::unlimited, {}};
  return {Affordable::found, bandwidth_of(low)};
}

}  // namespace loom::cost
