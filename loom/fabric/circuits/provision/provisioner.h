// Description of a provisioner: demand in, circuits within the limits of a fabric out.
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
  // With `connect`, every pair shall have a path, over other devices if not by a circuit.
  Provisioned (*provision)(const CircuitLimits& limits, const workload::Demand& demand,
                           bool connect);
  bool connects = false;  // honors `connect`
};

}  // namespace loom::fabric
