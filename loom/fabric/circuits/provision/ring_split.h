// Which way round a two-way ring each of given numbers of circuits goes.
//
// Ring loading with demands of a direction, split in whole circuits, each direction a fibre of its
// own. Let X be how many circuits go clockwise among those that can go either way. Of the others,
// those whose clockwise arc leaves a segment out cross it counterclockwise: its load that way is
// its clockwise load, less X, plus a constant. So for each X both limits are one limit on the
// clockwise load, and what remains is packing X arcs (see arc_packing.h), which is exact. The
// fractional packing is concave in X, so a search by tangents finds an X for which it is enough.
//
// Rounding up the optimum of the linear program would not do: of 0 -> 3, 2 -> 5 and 4 -> 1 on 6
// devices any two overlap either way, so one wavelength is too few, but half a circuit each way for
// each of them fits. (Wilfong and Winkler, 1998, solve the same problem exactly, by a linear
// program that is relaxed in part and rounded; Myung, Kim and Tcha, 1997, one in which both
// directions share each link.)
#pragma once

#include <cstdint>
#include <vector>

#include "loom/fabric/circuits/provision/ring_loads.h"

namespace loom {

enum class CanSplit { yes, no, unknown };

struct SplitFound {
  CanSplit answer = CanSplit::unknown;
  std::vector<Split> split = {};  // by pair, if yes
};

// So many circuits for each pair of the demand, within `capacity` on each segment and direction.
// Unknown only where packing does not end: see pack_arcs().
SplitFound split_circuits(const RingLimits& limits, int capacity, const Demand& demand,
                          const std::vector<int>& counts, std::int64_t& work);

}  // namespace loom
