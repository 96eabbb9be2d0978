// Splits given numbers of circuits over the two directions of a ring, exactly.
//
// Ring loading with directed demands, split in integers, with one fiber per direction. Wilfong and
// Winkler (1998) solve the same problem by a partly relaxed linear program and rounding; Myung, Kim
// and Tcha (1997) the case in which both directions share each link. Rounding the plain linear
// program is wrong: of 0 -> 3, 2 -> 5 and 4 -> 1 on 6 devices any two overlap in either direction,
// so one wavelength is too few, but half a circuit in each direction for each of them fits.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/fabric/circuits/provision/ring_loads.h"

namespace loom::fabric {

enum class CanSplit { yes, no, unknown };

struct SplitFound {
  CanSplit answer = CanSplit::unknown;
  std::vector<Split> split = {};  // per pair, if yes
};

// Splits `counts` circuits per pair of the demand, within `capacity` on each segment and direction.
// Unknown only if packing runs out of work: see pack_arcs().
//
// Let X be the number of circuits that go clockwise among those with a choice. The others cross a
// segment counterclockwise exactly where their clockwise arc leaves it out, so the counterclockwise
// load of a segment is its clockwise load, minus X, plus a constant. For each X both limits become
// one limit on the clockwise load, and packing X arcs remains (arc_packing.h). The fractional
// optimum is concave in X, so a tangent search finds a feasible X.
SplitFound split_circuits(const RingLimits& limits, int capacity, const workload::Demand& demand,
                          const std::vector<int>& counts, std::int64_t& work);

}  // namespace loom::fabric
