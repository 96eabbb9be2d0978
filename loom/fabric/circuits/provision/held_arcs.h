// The arcs that a sweep around the ring holds (arc_packing.h). Arcs that end at the current device
// are released; if too many remain, the arcs that end furthest ahead are dropped.
//
// Arcs that end at the same device are kept in the order in which they were taken, so the longest
// is first. A bit set marks the devices at which arcs end, so that finding the furthest end reads
// only a few words.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace loom::fabric {

class HeldArcs {
 public:
  struct Held {
    int end = 0;
    int group = 0;
    int count = 0;

    bool operator==(const Held&) const = default;
  };

  explicit HeldArcs(int segments)
      : by_end_(static_cast<std::size_t>(segments)),
        bits_(static_cast<std::size_t>(segments) / 64 + 1, 0) {}

  int count() const { return count_; }

  void take(int end, int group, int count) {
    by_end_[end].held.push_back({.end = end, .group = group, .count = count});
    bits_[end / 64] |= bit(end);
    count_ += count;
  }

  // Releases all arcs that end at this device.
  void leave(int end) {
    for (std::size_t i = by_end_[end].first; i < by_end_[end].held.size(); ++i) {
      count_ -= by_end_[end].held[i].count;
    }
    clear(end);
  }

  // Drops up to `max_count` arcs of the group that ends furthest ahead of `segment`; returns the
  // group and the number of arcs dropped.
  Held drop(int segment, int max_count) {
    const int end = furthest(segment);
    Ending& ending = by_end_[end];
    Held& held = ending.held[ending.first];
    const Held dropped{.end = end, .group = held.group, .count = std::min(max_count, held.count)};
    held.count -= dropped.count;
    count_ -= dropped.count;
    if (held.count == 0 && ++ending.first == ending.held.size()) clear(end);
    return dropped;
  }

  std::vector<Held> all() const {
    std::vector<Held> all;
    for (const Ending& it : by_end_) {
      all.insert(all.end(), it.held.begin() + static_cast<std::ptrdiff_t>(it.first), it.held.end());
    }
    return all;
  }

 private:
  struct Ending {
    std::vector<Held> held;
    std::size_t first = 0;  // entries before this index are dropped
  };

  static std::uint64_t bit(int end) { return std::uint64_t{1} << (end % 64); }

  void clear(int end) {
    by_end_[end].held.clear();
    by_end_[end].first = 0;
    bits_[end / 64] &= ~bit(end);
  }

  // The furthest end of an arc over the segment. Such an arc ends after the segment and at most one
  // lap later, so the search goes backward from the segment.
  int furthest(int segment) const {
    std::size_t word = static_cast<std::size_t>(segment) / 64;
    std::uint64_t here = bits_[word] & (bit(segment) | (bit(segment) - 1));
    while (here == 0) {
      word = word == 0 ? bits_.size() - 1 : word - 1;
      here = bits_[word];
    }
    return static_cast<int>(word) * 64 + 63 - std::countl_zero(here);
  }

  std::vector<Ending> by_end_;
  std::vector<std::uint64_t> bits_;
  int count_ = 0;
};

}  // namespace loom::fabric
