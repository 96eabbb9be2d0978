// Builds the fabric of a scenario for a number of devices.
#pragma once

#include <variant>

#include "loom/run/inputs.h"

namespace loom {

// The limits and rates of a fabric, without state: a fixed network, or circuits that planning
// provisions.
struct Fabric {
  std::variant<Network, CircuitFabric> limits;

  int devices() const;
  const Network* network() const { return std::get_if<Network>(&limits); }
  const CircuitFabric* circuits() const { return std::get_if<CircuitFabric>(&limits); }
};

Fabric build(const Scenario& scenario, int devices, const Replacements& replacements);

// Replaces the links of a network by those of a dumped file. If all ends are the same, the
// network's routing is kept; otherwise the links are routed as a custom graph.
Network with_links(Network network, const Replacements& replacements);

}  // namespace loom
