// As many arcs as fit on a ring whose segments have room for so many each.
//
// On a line the greedy sweep is optimal: take every arc, and where a segment has too many drop
// those that reach furthest. Round the ring the sweep goes on lap after lap; what it holds at the
// cut returns sooner or later, and the mean over the laps between is the best fractional packing
// (the optimum of k laps of line differs from k times it by less than one cut's room).
//
// A fractional packing with a whole total rounds to a whole one with the same total. Of two
// fractional arcs, one within the other, the inner can be raised and the outer lowered until one
// is whole: no segment carries more. Then no fractional arc lies within another, the ones over a
// segment are neighbours in the order of their beginnings, and rounding the sums from the first to
// each one down changes every sum of neighbours by less than 1; around the end too, since the whole
// sum stays. Room is whole, so it is kept. Hence the most that fit are the fractional optimum
// rounded down.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loom/fabric/circuits/provision/arc_coloring.h"

namespace loom {

// Alike arcs.
struct ArcGroup {
  Arc arc;
  int count = 1;
};

// The best mean over some laps.
struct Packing {
  std::vector<std::int64_t> taken;  // by group, in all laps
  std::int64_t laps = 1;
  std::int64_t total = 0;  // of `taken`
};

// Nothing if `work` (steps of the sweep, counted down) or 64 laps run out first. Needs that no
// group has the arc of another.
std::optional<Packing> pack_arcs(std::span<const ArcGroup> groups, std::span<const int> room,
                                 std::int64_t& work);

// Whole counts with that total, of each group. Needs total · laps <= packing.total.
std::vector<int> rounded(Packing packing, std::span<const ArcGroup> groups, int segments,
                         std::int64_t total);

}  // namespace loom
