// Percentiles by nearest rank: the smallest value that at least the given fraction of all values do
// not exceed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace loom {

// Position, counted from 1, of the percentile among `count` sorted values; `count` is at least 1.
// A product such as 0.55 · 100, which is not exact in binary, does not count as one rank more.
inline std::size_t nearest_rank(double fraction, std::size_t count) {
  constexpr double kRounding = 1e-9;
  const double rank = std::ceil(fraction * static_cast<double>(count) - kRounding);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(rank, 1.0)), 1, count);
}

// Zero if there are no values.
template <typename Value>
Value percentile(const std::vector<Value>& sorted, double fraction) {
  if (sorted.empty()) return Value{};
  return sorted[nearest_rank(fraction, sorted.size()) - 1];
}

}  // namespace loom
