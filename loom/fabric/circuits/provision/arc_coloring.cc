#include "loom/fabric/circuits/provision/arc_coloring.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace loom::fabric {
namespace {

constexpr int kWord = 64;  // bits

// Stable counting sort by a small integer key.
template <class Key>
void sort_by_small_key(std::vector<int>& items, int keys, Key key) {
  std::vector<std::size_t> begin(static_cast<std::size_t>(keys) + 1, 0);
  for (const int item : items) ++begin[static_cast<std::size_t>(key(item)) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<int> sorted(items.size());
  for (const int item : items) sorted[begin[static_cast<std::size_t>(key(item))]++] = item;
  items.swap(sorted);
}

}  // namespace

ArcColoring::ArcColoring(int segments, int colors)
    : segments_(segments),
      colors_(colors),
      owner_(static_cast<std::size_t>(segments) * static_cast<std::size_t>(colors), -1),
      words_(static_cast<std::size_t>((colors + kWord - 1) / kWord)),
      taken_(static_cast<std::size_t>(segments) * words_) {}

int ArcColoring::add(Arc arc) {
  arcs_.push_back(arc);
  color_.push_back(-1);
  seen_.push_back(-1);
  return arcs() - 1;
}

bool ArcColoring::add_if_free(Arc arc) {
  if (place(add(arc))) return true;
  arcs_.pop_back();
  color_.pop_back();
  seen_.pop_back();
  return false;
}

int ArcColoring::segment(int arc, int step) const {
  const int at = arcs_[arc].first + step;
  return at < segments_ ? at : at - segments_;
}

int ArcColoring::owner(int segment, int color) const {
  return owner_[static_cast<std::size_t>(segment) * static_cast<std::size_t>(colors_) +
                static_cast<std::size_t>(color)];
}

// The first color that is free on the whole arc, or -1.
int ArcColoring::first_free(int arc) const {
  for (std::size_t word = 0; word < words_; ++word) {
    std::uint64_t taken = 0;
    for (int step = 0; step < arcs_[arc].length; ++step) {
      taken |= taken_[static_cast<std::size_t>(segment(arc, step)) * words_ + word];
    }
    const int color = static_cast<int>(word) * kWord + std::countr_one(taken);
    if (~taken != 0) return color < colors_ ? color : -1;
  }
  return -1;
}

void ArcColoring::set(int arc, int color, int owner) {
  color_[arc] = owner < 0 ? -1 : color;
  const auto word = static_cast<std::size_t>(color / kWord);
  const std::uint64_t bit = std::uint64_t{1} << (color % kWord);
  for (int step = 0; step < arcs_[arc].length; ++step) {
    const auto at = static_cast<std::size_t>(segment(arc, step));
    owner_[at * static_cast<std::size_t>(colors_) + static_cast<std::size_t>(color)] = owner;
    std::uint64_t& taken = taken_[at * words_ + word];
    taken = owner < 0 ? taken & ~bit : taken | bit;
  }
}

bool ArcColoring::overlap(int a, int b) const {
  const auto from_to = [&](int x, int y) {
    return (arcs_[y].first - arcs_[x].first + segments_) % segments_;
  };
  return from_to(a, b) < arcs_[a].length || from_to(b, a) < arcs_[b].length;
}

bool ArcColoring::place(int arc) {
  const int color = first_free(arc);
  if (color < 0) return false;
  set(arc, color, arc);
  return true;
}

void ArcColoring::remove(int arc) { set(arc, color_[arc], -1); }

std::vector<int> ArcColoring::conflicting_arcs(int arc, int color) const {
  std::vector<int> found;
  for (int step = 0; step < arcs_[arc].length; ++step) {
    const int here = owner(segment(arc, step), color);
    const bool seen = !found.empty() && (found.back() == here || found.front() == here);
    if (here >= 0 && !seen) found.push_back(here);
  }
  return found;
}

int ArcColoring::least_loaded() const {
  std::vector<int> change(static_cast<std::size_t>(segments_) + 1, 0);
  for (const Arc& it : arcs_) {
    const int end = it.first + it.length;
    ++change[it.first];
    --change[std::min(end, segments_)];
    if (end > segments_) {
      ++change[0];
      --change[end - segments_];
    }
  }
  change.pop_back();
  std::partial_sum(change.begin(), change.end(), change.begin());
  return static_cast<int>(std::min_element(change.begin(), change.end()) - change.begin());
}

// Uncolored arcs, sorted by start from the least loaded segment on; of arcs with the same start,
// longer arcs first. Arcs that cross the least loaded segment come before all others.
std::vector<int> ArcColoring::order_of_coloring() const {
  const int start = least_loaded();
  std::vector<int> order;
  for (int arc = 0; arc < arcs(); ++arc) {
    if (color_[arc] < 0) order.push_back(arc);
  }
  sort_by_small_key(order, segments_ + 1, [&](int arc) { return segments_ - arcs_[arc].length; });
  sort_by_small_key(order, segments_ + 1, [&](int arc) {
    const Arc& it = arcs_[arc];
    const int begin = (it.first - start + segments_) % segments_;
    return begin + it.length > segments_ ? 0 : begin;
  });
  return order;
}

void ArcColoring::color_all() {
  for (const int arc : order_of_coloring()) {
    if (!place(arc)) place_by_exchange(arc);
  }
}

// A swap of two colors can help only if, on every segment of the arc, at least one of the two is
// free: on a segment where both are taken, the two arcs belong to the same Kempe chain, and after
// the swap one of them still blocks the color.
bool ArcColoring::place_by_exchange(int arc) {
  for (int a = 0; a < colors_; ++a) {
    if (owner(arcs_[arc].first, a) >= 0) continue;
    for (int b = 0; b < colors_; ++b) {
      if (a == b || !one_free_everywhere(arc, a, b)) continue;
      for (const int freed : {a, b}) {
        if (!exchange_away(arc, freed, a + b - freed)) continue;
        set(arc, freed, arc);
        return true;
      }
    }
  }
  return false;
}

bool ArcColoring::one_free_everywhere(int arc, int a, int b) const {
  for (int step = 0; step < arcs_[arc].length; ++step) {
    const int at = segment(arc, step);
    if (owner(at, a) >= 0 && owner(at, b) >= 0) return false;
  }
  return true;
}

// Frees a color on the whole arc by swapping it with the other color along the Kempe chains of the
// arcs that hold it.
bool ArcColoring::exchange_away(int arc, int color, int other) {
  std::vector<int> moved;
  if (!chain(arc, color, other, moved)) return false;
  std::vector<int> next;
  next.reserve(moved.size());
  for (const int it : moved) next.push_back(color + other - color_[it]);
  for (const int it : moved) remove(it);
  for (std::size_t i = 0; i < moved.size(); ++i) set(moved[i], next[i], moved[i]);
  return true;
}

// Collects the Kempe chains of the arcs of `color` that block `arc`. Returns false if a chain
// contains an arc of the other color that overlaps `arc`: it would block `color` after the swap.
bool ArcColoring::chain(int arc, int color, int other, std::vector<int>& arcs) {
  ++chains_;
  const auto visit = [&](int from, int in_color) {
    for (int step = 0; step < arcs_[from].length; ++step) {
      const int blocker = owner(segment(from, step), in_color);
      if (blocker < 0 || seen_[blocker] == chains_) continue;
      seen_[blocker] = chains_;
      if (in_color == other && overlap(blocker, arc)) return false;
      arcs.push_back(blocker);
    }
    return true;
  };
  if (!visit(arc, color)) return false;
  std::size_t visited = 0;  // the chain grows during the loop
  while (visited < arcs.size()) {
    const int from = arcs[visited++];
    if (!visit(from, color + other - color_[from])) return false;
  }
  return true;
}

}  // namespace loom::fabric
