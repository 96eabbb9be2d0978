// Builds the fabric of a scenario for a number of devices.
#pragma once

#include <variant>

#include "loom/run/inputs.h"

namespace loom::run {

// The limits and rates of a fabric, without state: a fixed network, or circuits that planning
// provisions.
struct Fabric {
  std::variant<fabric::Network, fabric::CircuitFabric> limits;

  int devices() const;
  const fabric::Network* network() const { return std::get_if<fabric::Network>(&limits); }
  const fabric::CircuitFabric* circuits() const {
    return std::get_if<fabric::CircuitFabric>(&limits);
  }
};

Fabric build(const scenario::Scenario& scenario, int devices, const Replacements& replacements);

// Replaces the links of a network by those of a dumped file. If all ends are the same, the
// network's routing is kept; otherwise the links are routed as a custom graph.
fabric::Network with_links(fabric::Network network, const Replacements& replacements);

}  // namespace loom::run
