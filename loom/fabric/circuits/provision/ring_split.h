// Splits given numbers of circuits over the two directions of a ring, exactly.
//
// This is the ring loading problem with directed integer demands and one fiber per direction.
// Wilfong and Winkler (1998) solve the same problem by a partly relaxed linear program and
// rounding; Myung, Kim and Tcha (1997) the case in which both directions share each link. Rounding
// the plain linear program is not exact: on 6 devices, any two of 0 -> 3, 2 -> 5 and 4 -> 1 overlap
// in either direction, so no integer solution fits one wavelength, but half a circuit per direction
// for each pair does.
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
// The answer is unknown only if the packing runs out of work: see pack_arcs().
//
// Let X be the number of clockwise circuits among the circuits with a choice of direction. A
// counterclockwise circuit crosses exactly the segments that its clockwise arc would not cross, so
// the counterclockwise load of a segment is its clockwise load, minus X, plus a constant. For a
// given X, the limits of both directions thus become one limit on the clockwise load, and the
// problem is to pack X clockwise arcs (arc_packing.h). The fractional optimum is concave in X, so a
// tangent search finds a feasible X.
SplitFound split_circuits(const RingLimits& limits, int capacity, const workload::Demand& demand,
                          const std::vector<int>& counts, std::int64_t& work);

}  // namespace loom::fabric
