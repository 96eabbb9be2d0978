#include "loom/fabric/circuits/provision/arc_coloring.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace loom {
namespace {

constexpr int kWord = 64;  // bits

// By key, those with the same key as they were.
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

ArcColouring::ArcColouring(int segments, int colours)
    : segments_(segments),
      colours_(colours),
      owner_(static_cast<std::size_t>(segments) * static_cast<std::size_t>(colours), -1),
      words_(static_cast<std::size_t>((colours + kWord - 1) / kWord)),
      taken_(static_cast<std::size_t>(segments) * words_) {}

int ArcColouring::add(Arc arc) {
  arcs_.push_back(arc);
  colour_.push_back(-1);
  seen_.push_back(-1);
  return arcs() - 1;
}

bool ArcColouring::add_if_free(Arc arc) {
  if (place(add(arc))) return true;
  arcs_.pop_back();
  colour_.pop_back();
  seen_.pop_back();
  return false;
}

int ArcColouring::segment(int arc, int step) const {
  const int at = arcs_[arc].first + step;
  return at < segments_ ? at : at - segments_;
}

int ArcColouring::owner(int segment, int colour) const {
  return owner_[static_cast<std::size_t>(segment) * static_cast<std::size_t>(colours_) +
                static_cast<std::size_t>(colour)];
}

// The first colour that is free all along the arc, or -1.
int ArcColouring::first_free(int arc) const {
  for (std::size_t word = 0; word < words_; ++word) {
    std::uint64_t taken = 0;
    for (int step = 0; step < arcs_[arc].length; ++step) {
      taken |= taken_[static_cast<std::size_t>(segment(arc, step)) * words_ + word];
    }
    const int colour = static_cast<int>(word) * kWord + std::countr_one(taken);
    if (~taken != 0) return colour < colours_ ? colour : -1;
  }
  return -1;
}

void ArcColouring::set(int arc, int colour, int owner) {
  colour_[arc] = owner < 0 ? -1 : colour;
  const auto word = static_cast<std::size_t>(colour / kWord);
  const std::uint64_t bit = std::uint64_t{1} << (colour % kWord);
  for (int step = 0; step < arcs_[arc].length; ++step) {
    const auto at = static_cast<std::size_t>(segment(arc, step));
    owner_[at * static_cast<std::size_t>(colours_) + static_cast<std::size_t>(colour)] = owner;
    std::uint64_t& taken = taken_[at * words_ + word];
    taken = owner < 0 ? taken & ~bit : taken | bit;
  }
}

bool ArcColouring::overlap(int a, int b) const {
  const auto from_to = [&](int x, int y) {
    return (arcs_[y].first - arcs_[x].first + segments_) % segments_;
  };
  return from_to(a, b) < arcs_[a].length || from_to(b, a) < arcs_[b].length;
}

bool ArcColouring::place(int arc) {
  const int colour = first_free(arc);
  if (colour < 0) return false;
  set(arc, colour, arc);
  return true;
}

void ArcColouring::remove(int arc) { set(arc, colour_[arc], -1); }

std::vector<int> ArcColouring::conflicting_arcs(int arc, int colour) const {
  std::vector<int> found;
  for (int step = 0; step < arcs_[arc].length; ++step) {
    const int here = owner(segment(arc, step), colour);
    const bool seen = !found.empty() && (found.back() == here || found.front() == here);
    if (here >= 0 && !seen) found.push_back(here);
  }
  return found;
}

int ArcColouring::least_loaded() const {
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

// From the cut on by where they begin, longer ones first; those over the cut before all others.
std::vector<int> ArcColouring::order_of_colouring() const {
  const int cut = least_loaded();
  std::vector<int> order;
  for (int arc = 0; arc < arcs(); ++arc) {
    if (colour_[arc] < 0) order.push_back(arc);
  }
  sort_by_small_key(order, segments_ + 1, [&](int arc) { return segments_ - arcs_[arc].length; });
  sort_by_small_key(order, segments_ + 1, [&](int arc) {
    const Arc& it = arcs_[arc];
    const int begin = (it.first - cut + segments_) % segments_;
    return begin + it.length > segments_ ? 0 : begin;
  });
  return order;
}

void ArcColouring::colour_all() {
  for (const int arc : order_of_colouring()) {
    if (!place(arc)) place_by_exchange(arc);
  }
}

// Only two colours of which one is free on each segment of the arc can help it: where both are
// taken, the arcs there belong to the same chain and come back.
bool ArcColouring::place_by_exchange(int arc) {
  for (int a = 0; a < colours_; ++a) {
    if (owner(arcs_[arc].first, a) >= 0) continue;
    for (int b = 0; b < colours_; ++b) {
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

bool ArcColouring::one_free_everywhere(int arc, int a, int b) const {
  for (int step = 0; step < arcs_[arc].length; ++step) {
    const int at = segment(arc, step);
    if (owner(at, a) >= 0 && owner(at, b) >= 0) return false;
  }
  return true;
}

// Frees the colour all along the arc by giving the arcs there the other, and so on.
bool ArcColouring::exchange_away(int arc, int colour, int other) {
  std::vector<int> moved;
  if (!chain(arc, colour, other, moved)) return false;
  std::vector<int> next;
  next.reserve(moved.size());
  for (const int it : moved) next.push_back(colour + other - colour_[it]);
  for (const int it : moved) remove(it);
  for (std::size_t i = 0; i < moved.size(); ++i) set(moved[i], next[i], moved[i]);
  return true;
}

// All arcs that overlap, by way of one another, those of the colour that are in the way of `arc`.
// False if one of the other colour is in its way too.
bool ArcColouring::chain(int arc, int colour, int other, std::vector<int>& arcs) {
  ++chains_;
  const auto visit = [&](int from, int in_colour) {
    for (int step = 0; step < arcs_[from].length; ++step) {
      const int blocker = owner(segment(from, step), in_colour);
      if (blocker < 0 || seen_[blocker] == chains_) continue;
      seen_[blocker] = chains_;
      if (in_colour == other && overlap(blocker, arc)) return false;
      arcs.push_back(blocker);
    }
    return true;
  };
  if (!visit(arc, colour)) return false;
  std::size_t visited = 0;  // the chain grows meanwhile
  while (visited < arcs.size()) {
    const int from = arcs[visited++];
    if (!visit(from, colour + other - colour_[from])) return false;
  }
  return true;
}

}  // namespace loom
