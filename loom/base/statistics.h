// Percentiles by the nearest-rank method: the smallest value such that at least the given fraction
// of all values does not exceed it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace loom {

// Position, counted from 1, of the percentile among `count` sorted values; `count` is at least 1.
// Tolerates rounding errors: 0.55 · 100 is slightly above 55 in binary, but gives position 55.
inline std::size_t nearest_rank(double fraction, std::size_t count) {
  constexpr double kRounding = 1e-9;
  const double rank = std::ceil(fraction * static_cast<double>(count) - kRounding);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(rank, 1.0)), 1, count);
}

// The percentile of sorted values; zero if there are no values.
template <typename Value>
Value percentile(const std::vector<Value>& sorted, double fraction) {
  if (sorted.empty()) return Value{};
  return sorted[nearest_rank(fraction, sorted.size()) - 1];
}

}  // namespace loom
