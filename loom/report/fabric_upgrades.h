// Small upgrades of a circuit fabric, each with the settings that make it: one more port, one more
// wavelength, a shorter switch time. Circuits keep their bandwidth, so a device gets that much
// more.
#pragma once

#include <string>
#include <vector>

#include "loom/scenario/scenario.h"

namespace loom::report {

struct Upgrade {
  std::string what;
  std::vector<std::string> overrides;  // such as "fabric.switches=9"
};

// Empty if the fabric has no circuits that can be provisioned.
std::vector<Upgrade> fabric_upgrades(const scenario::Scenario& scenario, int devices);

}  // namespace loom::report
