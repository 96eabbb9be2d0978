// Description of a provisioner, which chooses circuits for a demand within the limits of a fabric.
//
// To add one, write a header and a source in this folder that define a Provisioner, and add it to
// kProvisioners in provisioners.h. Tests then run it on every circuit fabric.
#pragma once

#include <string_view>

#include "loom/fabric/circuits/circuits.h"

namespace loom::fabric {

struct Provisioner {
  std::string_view name;
  std::string_view summary;
  // Chooses the circuits. With `connect`, every pair of devices should have a path, over other
  // devices if it has no circuit.
  Provisioned (*provision)(const CircuitLimits& limits, const workload::Demand& demand,
                           bool connect);
  bool connects = false;  // honors `connect`
};

}  // namespace loom::fabric
