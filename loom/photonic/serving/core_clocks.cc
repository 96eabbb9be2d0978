#include "loom/photonic/serving/core_clocks.h"

#include <algorithm>
#include <bit>

#include "loom/base/error.h"

namespace loom::photonic {

CoreClocks::CoreClocks(std::int64_t cores) : cores_(cores) {
  LOOM_CHECK(cores >= 1, "work is distributed over at least one core");
  nodes_.resize(2 * std::bit_ceil(static_cast<std::size_t>(cores)));
}

// If all cores of a node are free at the same time, the node overwrites its children; otherwise it
// adds to them.
void CoreClocks::tell_children(std::size_t node) {
  Node& above = nodes_[node];
  for (const std::size_t child : {2 * node, 2 * node + 1}) {
    Node& it = nodes_[child];
    if (above.earliest == above.latest) {
      it = {above.latest, above.latest, 0};
    } else {
      it = {it.earliest + above.added, it.latest + above.added, it.added + above.added};
    }
  }
  above.added = 0;
}

Tick CoreClocks::add(const Range& range, const Range& wanted, Tick now, Tick work) {
  if (range.end <= wanted.first || wanted.end <= range.first) return 0;
  Node& node = nodes_[range.node];
  const bool whole = wanted.first <= range.first && range.end <= wanted.end;
  if (whole && node.latest <= now) {
    node = {now + work, now + work, 0};
    return node.latest;
  }
  if (whole && (node.earliest >= now || range.end - range.first == 1)) {
    node = {node.earliest + work, node.latest + work, node.added + work};
    return node.latest;
  }
  tell_children(range.node);
  const Tick left = add(range.left(), wanted, now, work);
  const Tick right = add(range.right(), wanted, now, work);
  const Node& a = nodes_[2 * range.node];
  const Node& b = nodes_[2 * range.node + 1];
  node.earliest = std::min(a.earliest, b.earliest);
  node.latest = std::max(a.latest, b.latest);
  return std::max(left, right);
}

Tick CoreClocks::deal(Tick now, std::int64_t count, Tick each) {
  LOOM_CHECK(count >= 1, "a layer has at least one product");
  const Range all{1, 0, cores_};
  Tick last = 0;
  if (const std::int64_t rounds = count / cores_; rounds > 0) {
    last = add(all, all, now, rounds * each);
  }
  const std::int64_t end = next_ + count % cores_;
  if (end > next_) last = std::max(last, add(all, {1, next_, std::min(end, cores_)}, now, each));
  if (end > cores_) last = std::max(last, add(all, {1, 0, end - cores_}, now, each));
  next_ = end % cores_;
  return last;
}

Tick CoreClocks::free_at(std::int64_t core) const {
  Range range{1, 0, cores_};
  Tick added = 0;
  while (range.end - range.first > 1) {
    const Node& node = nodes_[range.node];
    if (node.earliest == node.latest) return node.latest + added;
    added += node.added;
    range = core < range.left().end ? range.left() : range.right();
  }
  return nodes_[range.node].latest + added;
}

}  // namespace loom::photonic
