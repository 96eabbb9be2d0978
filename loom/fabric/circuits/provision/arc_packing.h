// Max arc packing: selects as many of the given arcs as fit on a ring with given segment
// capacities.
//
// On a line the greedy sweep is optimal: take every arc, and if a segment is over capacity, drop
// the arcs that reach furthest. On a ring the sweep goes around lap after lap. It stops when the
// selected arcs that cross the end of a lap are the same as at the end of an earlier lap. The mean
// over the laps in between is the optimal fractional packing: if k laps are unrolled into a line,
// the optimum differs from k times the optimum of the ring by less than the capacity of one
// segment. Rounded down, the mean is the max integer packing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loom/fabric/circuits/provision/arc_coloring.h"

namespace loom::fabric {

// A number of equal arcs.
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

// Returns nullopt if `work` (remaining steps of the sweep, counted down) or 64 laps are used up
// first. Needs a different arc for every group.
std::optional<Packing> pack_arcs(std::span<const ArcGroup> groups, std::span<const int> room,
                                 std::int64_t& work);

// Integer number of arcs per group with this total. Needs total · laps <= packing.total.
//
// Such a rounding always exists. If one of two groups with fractional numbers contains the other,
// the number of the inner group is raised and that of the outer group lowered until one is an
// integer; no segment carries more. After that, no fractional group contains another, so those over
// a segment are consecutive in order of their start. Rounding all prefix sums down changes every
// sum over consecutive groups by less than 1 (also across the end of the ring, as the total is an
// integer). Capacities are integers, so no segment exceeds its capacity.
std::vector<int> rounded(Packing packing, std::span<const ArcGroup> groups, int segments,
                         std::int64_t total);

}  // namespace loom::fabric
