// Builds the fabric of a scenario for a number of devices.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "loom/run/inputs.h"

namespace loom::run {

// A network by one of the routings among which planning chooses.
struct RoutedNetwork {
  std::string_view routing;
  fabric::Network network;
};

// A fabric, without state: a fixed network, or the limits within which planning provisions
// circuits.
struct Fabric {
  std::variant<fabric::Network, fabric::CircuitFabric> limits;
  std::vector<RoutedNetwork> routings;  // with `routing: auto`; the limits are those of the first

  int devices() const;
  const fabric::Network* network() const { return std::get_if<fabric::Network>(&limits); }
  const fabric::CircuitFabric* circuits() const {
    return std::get_if<fabric::CircuitFabric>(&limits);
  }
};

Fabric build(const scenario::Scenario& scenario, int devices, const Replacements& replacements);

// Replaces the links of a network by those of a file that `dump` wrote. If the file has the same
// links in the same order, the network keeps its routing; otherwise the links form a custom graph.
fabric::Network with_links(fabric::Network network, const Replacements& replacements);

}  // namespace loom::run
