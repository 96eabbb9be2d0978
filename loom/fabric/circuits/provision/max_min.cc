#include "loom/fabric/circuits/provision/max_min.h"

#include "loom/fabric/circuits/provision/ocs_max_min.h"
#include "loom/fabric/circuits/provision/ring_max_min.h"

namespace loom::fabric {

Provisioned provision_max_min(const CircuitLimits& limits, const workload::Demand& demand,
                              bool connect) {
  return std::visit([&](const auto& it) { return provision_max_min(it, demand, connect); }, limits);
}

}  // namespace loom::fabric
