// A part of a tensor: which samples, which positions (tokens, rows of an image) and which features
// (columns, heads, channels) of it.
//
// What one piece of an operator makes and what another needs are both such parts; what has to be
// sent is where they overlap, counted in whole elements so that nothing is lost in rounding.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace loom {

struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;  // the first that does not belong to it

  std::int64_t length() const { return std::max<std::int64_t>(0, end - begin); }
  bool operator==(const Interval&) const = default;
};

inline Interval overlap(const Interval& a, const Interval& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

// Which grains of so many piece `index` has, larger pieces first.
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

// Without common elements.
using Boxes = std::vector<Box>;

inline std::int64_t elements(const Boxes& boxes) {
  return std::accumulate(boxes.begin(), boxes.end(), std::int64_t{0},
                         [](std::int64_t sum, const Box& it) { return sum + it.elements(); });
}

// The parts of one in the other; none is empty.
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

}  // namespace loom
