// When each of many alike cores is free again, where work is dealt out to them in turn.
//
// Products go to the cores round-robin, so a layer adds the same work to a range of neighbours, or
// to all of them. The moments are the leaves of a tree whose nodes know the earliest and latest
// below them: dealing costs about as much as the tree is deep, however many cores there are and
// however far apart their clocks have drifted.
#pragma once

#include <cstdint>
#include <vector>

namespace loom::photonic {

using Tick = std::int64_t;

class CoreClocks {
 public:
  explicit CoreClocks(std::int64_t cores);  // at least 1, all free at 0

  // Deals `count` products of `each` ticks out from the core after the last one, none begun before
  // `now`; the moment the last of them ends. Needs count >= 1.
  Tick deal(Tick now, std::int64_t count, Tick each);

  Tick free_at(std::int64_t core) const;
  Tick last_free() const { return nodes_[1].latest; }  // when all are

 private:
  struct Node {
    Tick earliest = 0;
    Tick latest = 0;
    Tick added = 0;  // to all below, who do not know yet; those are alike where the two are equal
  };
  // The leaves from `first` up to `end`; the children of node n are 2n and 2n + 1.
  struct Range {
    std::size_t node = 1;
    std::int64_t first = 0;
    std::int64_t end = 0;

    Range left() const { return {2 * node, first, first + (end - first) / 2}; }
    Range right() const { return {2 * node + 1, first + (end - first) / 2, end}; }
  };

  // The cores of `wanted` within `range` take so much more work; when the last of them is free.
  Tick add(const Range& range, const Range& wanted, Tick now, Tick work);
  void tell_children(std::size_t node);

  std::int64_t cores_;
  std::int64_t next_ = 0;
  std::vector<Node> nodes_;
};

}  // namespace loom::photonic
