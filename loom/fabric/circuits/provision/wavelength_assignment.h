// Real wavelengths for circuits whose numbers are decided.
//
// That each segment has room for its circuits is necessary and not sufficient: a circuit keeps its
// wavelength all along its arc. What cannot be coloured is left out, from the pair that is served
// best without it, so what comes out can be lit; then free wavelengths are filled, worst pair
// first.
#pragma once

#include <vector>

#include "loom/fabric/circuits/provision/ring_loads.h"

namespace loom {

// `split` says how many circuits each pair of the demand has, by direction. With `neighbours` the
// last wavelengths are left for circuits between neighbours, which the result then has as well,
// besides those of `split`.
Provisioned assign_wavelengths(const RingLimits& limits, const Demand& demand,
                               const std::vector<Split>& split, bool neighbours);

// Circuits over each segment and direction when the last wavelengths are left for neighbours. At
// least 0; where wavelengths are not used again each circuit between neighbours needs its own, and
// without enough of them no neighbours are connected.
int capacity_of(const RingLimits& limits, bool neighbours);

// Whether the pair has a circuit between neighbours.
bool served_as_neighbours(const RingLimits& limits, int from, int to);

}  // namespace loom
