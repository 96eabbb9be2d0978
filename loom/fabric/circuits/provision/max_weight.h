// Provisions circuits for as much of the demand as possible, rather than for the worst-served pair.
//
// The weight of a pair is bytes / (circuits + 1), counting the circuits that it already has. Each
// switch in turn takes a max-weight matching; on a ring each circuit goes to the pair of max weight
// that still fits, and wavelengths are assigned as for max_min (wavelength_assignment.h).
#pragma once

#include "loom/fabric/circuits/provision/provisioner.h"

namespace loom::fabric {

Provisioned provision_max_weight(const OcsLimits& limits, const workload::Demand& demand);
Provisioned provision_max_weight(const RingLimits& limits, const workload::Demand& demand);
Provisioned provision_max_weight(const CircuitLimits& limits, const workload::Demand& demand,
                                 bool connect);

inline constexpr Provisioner kMaxWeight{
    .name = "max_weight", .summary = "most demand served", .provision = provision_max_weight};

}  // namespace loom::fabric
