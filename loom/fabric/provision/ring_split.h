// Which way round a two-way ring each of given numbers of circuits goes.
//
// Ring loading with demands of a direction, split in whole circuits, each direction a fibre of its
// own. Let X be how many circuits go clockwise among those that can go either way. A segment's
// counterclockwise load is its clockwise load, less X, plus a constant: a circuit that could cross
// it and does not go clockwise crosses it the other way. So for each X both limits are one limit on
// the clockwise load, and what remains is packing X arcs (see arc_packing.h), which is exact. The
// fractional packing is concave in X, so a search by tangents finds an X for which it is enough.
//
// That rounding up the optimum of the linear program gives the whole optimum is not true here: of
// 0 -> 3, 2 -> 5 and 4 -> 1 on 6 devices any two overlap either way, so one wavelength is too few,
// but half a circuit each way for each fits. (For links shared by both directions it is: Myung, Kim
// and Tcha, 1997. For directed ones see Wilfong and Winkler, 1998.)
#pragma once

#include <cstdint>
#include <vector>

#include "loom/fabric/provision/ring_loads.h"

namespace loom {

enum class CanSplit { yes, no, unknown };

struct SplitFound {
  CanSplit answer = CanSplit::unknown;
  std::vector<Split> split = {};  // by pair, if yes
};

// So many circuits for each pair of the demand, within `capacity` on each segment and direction.
// Unknown only if `work` (counted down) runs out.
SplitFound split_circuits(const RingLimits& limits, int capacity, const Demand& demand,
                          const std::vector<int>& counts, std::int64_t& work);

}  // namespace loom
