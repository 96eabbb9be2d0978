// Max-min provisioning: the best rate for the worst-served pair, exact on switches (ocs_max_min.h)
// and rings (ring_max_min.h).
#pragma once

#include "loom/fabric/circuits/provision/provisioner.h"

namespace loom::fabric {

Provisioned provision_max_min(const CircuitLimits& limits, const workload::Demand& demand,
                              bool connect);

inline constexpr Provisioner kMaxMin{.name = "max_min",
                                     .summary = "best rate for the worst-served pair",
                                     .provision = provision_max_min,
                                     .connects = true};

}  // namespace loom::fabric
