// The registry of fabric kinds, and how a fabric description becomes a network.
//
// To add a kind: two source files that define a FabricKind, its name in kinds.cc, a test and an
// example.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "loom/base/settings.h"
#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/components.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// Inputs for building a fabric, besides its own parameters.
struct FabricContext {
  int devices = 0;
  std::uint64_t seed = 0;
};

struct FabricKind {
  std::string_view name;     // as written in a scenario: "fat_tree"
  std::string_view summary;  // one line for people
  std::span<const Parameter> parameters;
  // Throw InputError if the parameters contradict each other or do not fit the number of devices. A
  // kind has exactly one of the two: `build` returns a network; `circuits` returns a fabric that
  // becomes a network once its circuits are provisioned.
  Network (*build)(const Settings& settings, const FabricContext& context);
  CircuitFabric (*circuits)(const Settings& settings, const FabricContext& context) = nullptr;
  // Bill of materials, if it does not follow from the links or circuits.
  Bill (*components)(const Settings& settings, const FabricContext& context) = nullptr;
};

std::span<const FabricKind> fabric_kinds();

// The kind with this name, or nullptr.
const FabricKind* find_fabric_kind(std::string_view name);

// A fabric as written in a scenario: {kind: …, parameters …, name: optional label}.
struct FabricSpec {
  const FabricKind* kind = nullptr;
  std::string name;
  Settings settings;
};

FabricSpec read_fabric(const Tree& map);

// Requires a kind that builds a network.
Network build_network(const FabricSpec& spec, const FabricContext& context);

// Requires a kind with circuits.
CircuitFabric build_circuits(const FabricSpec& spec, const FabricContext& context);

}  // namespace loom::fabric
