// Max arc packing: the max number of arcs on a ring whose segments have given capacities.
//
// On a line the greedy sweep is optimal: take every arc, and where a segment is over capacity drop
// those that reach furthest. On a ring the sweep continues lap after lap until the arcs held at the
// end of a lap repeat; the mean over the laps of that period is the optimal fractional packing (the
// optimum of k laps of line differs from k times it by less than the capacity of one segment).
// Rounded down, it is the max integer packing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loom/fabric/circuits/provision/arc_coloring.h"

namespace loom::fabric {

// Equivalent arcs.
struct ArcGroup {
  Arc arc;
  int count = 1;
};

// The optimal fractional packing: `taken` arcs over `laps` laps.
struct Packing {
  std::vector<std::int64_t> taken;  // per group, summed over the laps
  std::int64_t laps = 1;
  std::int64_t total = 0;  // sum of `taken`
};

// nullopt if `work` (steps of the sweep, counted down) or 64 laps are used up first. Needs a
// different arc for every group.
std::optional<Packing> pack_arcs(std::span<const ArcGroup> groups, std::span<const int> room,
                                 std::int64_t& work);

// Integer number of arcs per group with this total. Needs total · laps <= packing.total.
//
// Such a rounding always exists. Of two nested fractional arcs the inner can be raised and the
// outer lowered until one is an integer: no segment carries more. After that no fractional arc
// contains another, those over a segment are consecutive in order of their start, and rounding all
// prefix sums down changes every sum of consecutive ones by less than 1, also across the end, since
// the total is an integer. Capacities are integers, so they hold.
std::vector<int> rounded(Packing packing, std::span<const ArcGroup> groups, int segments,
                         std::int64_t total);

}  // namespace loom::fabric
