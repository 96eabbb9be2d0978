// A box of a tensor: intervals of samples, positions (tokens, image rows) and features (columns,
// heads, channels).
//
// The output of one shard and the input of another are both sets of boxes; their overlap must be
// sent. Boxes have integer numbers of elements, so that rounding loses none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace loom::parallelize {

struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;  // exclusive

  std::int64_t length() const { return std::max<std::int64_t>(0, end - begin); }
  bool operator==(const Interval&) const = default;
};

inline Interval overlap(const Interval& a, const Interval& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

// The grains (indivisible units) of shard `index` if `count` grains are divided into `degree`
// shards; larger shards come first.
inline Interval grains(std::int64_t count, std::int64_t degree, std::int64_t index) {
  const std::int64_t each = count / degree;
  const std::int64_t longer = count % degree;
  const auto start = [&](std::int64_t i) { return i * each + std::min(i, longer); };
  return {start(index), start(index + 1)};
}

struct Box {
  Interval samples;
  Interval positions;
  Interval features;

  std::int64_t elements() const {
    return samples.length() * positions.length() * features.length();
  }
  bool operator==(const Box&) const = default;
};

inline Box overlap(const Box& a, const Box& b) {
  return {overlap(a.samples, b.samples), overlap(a.positions, b.positions),
          overlap(a.features, b.features)};
}

// Disjoint boxes.
using Boxes = std::vector<Box>;

inline std::int64_t elements(const Boxes& boxes) {
  return std::accumulate(boxes.begin(), boxes.end(), std::int64_t{0},
                         [](std::int64_t sum, const Box& it) { return sum + it.elements(); });
}

// All nonempty overlaps of a box of `a` and a box of `b`.
inline Boxes overlap(const Boxes& a, const Boxes& b) {
  Boxes common;
  for (const Box& one : a) {
    for (const Box& other : b) {
      const Box both = overlap(one, other);
      if (both.elements() > 0) common.push_back(both);
    }
  }
  return common;
}

}  // namespace loom::parallelize
