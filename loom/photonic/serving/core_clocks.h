// The time at which each of many identical cores becomes free, if work is assigned round-robin.
//
// A layer adds the same work to a range of neighboring cores, or to all cores. The times are the
// leaves of a segment tree with lazy updates, whose nodes store the minimum and maximum of their
// leaves. An assignment takes about as many steps as the tree is deep, instead of one step per
// core.
#pragma once

#include <cstdint>
#include <vector>

namespace loom::photonic {

using Tick = std::int64_t;

class CoreClocks {
 public:
  explicit CoreClocks(std::int64_t cores);  // at least 1, all free at 0

  // Assigns `count` products of `each` ticks to consecutive cores, starting after the last core
  // used and not before `now`; returns the time at which the last product ends. Needs count >= 1.
  Tick deal(Tick now, std::int64_t count, Tick each);

  Tick free_at(std::int64_t core) const;
  Tick last_free() const { return nodes_[1].latest; }  // time at which all cores are free

 private:
  struct Node {
    Tick earliest = 0;
    Tick latest = 0;
    Tick added = 0;  // pending addition to all leaves of this node
  };
  // The leaves from `first` up to `end`; the children of node n are 2n and 2n + 1.
  struct Range {
    std::size_t node = 1;
    std::int64_t first = 0;
    std::int64_t end = 0;

    Range left() const { return {2 * node, first, first + (end - first) / 2}; }
    Range right() const { return {2 * node + 1, first + (end - first) / 2, end}; }
  };

  // Adds work to the cores that are in both `wanted` and `range`; returns the time at which the
  // last of them is free.
  Tick add(const Range& range, const Range& wanted, Tick now, Tick work);
  void tell_children(std::size_t node);

  std::int64_t cores_;
  std::int64_t next_ = 0;
  std::vector<Node> nodes_;
};

}  // namespace loom::photonic
