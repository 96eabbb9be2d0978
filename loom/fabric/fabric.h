// The kinds of fabric there are, and how a description becomes a network.
//
// Adding one: two source files that fill a FabricKind, its name in kinds.cc, a test, an example.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "loom/base/settings.h"
#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/components.h"
#include "loom/fabric/network/network.h"

namespace loom {

// What a fabric is built for, besides its own parameters.
struct FabricContext {
  int devices = 0;
  std::uint64_t seed = 0;
};

struct FabricKind {
  std::string_view name;     // as written in a scenario: "fat_tree"
  std::string_view summary;  // one line for people
  std::span<const Parameter> parameters;
  // InputError where the parameters do not fit each other or the number of devices. One of the two:
  // a network, or circuits that become one once they are lit.
  Network (*build)(const Settings& settings, const FabricContext& context);
  CircuitFabric (*circuits)(const Settings& settings, const FabricContext& context) = nullptr;
  // What it is built of, where that does not follow from its links or circuits.
  Bill (*components)(const Settings& settings, const FabricContext& context) = nullptr;
};

std::span<const FabricKind> fabric_kinds();

// The kind of that name, or nullptr.
const FabricKind* find_fabric_kind(std::string_view name);

// A fabric as a scenario gives it: {kind: …, parameters …, name: optional label}.
struct FabricSpec {
  const FabricKind* kind = nullptr;
  std::string name;
  Settings settings;
};

FabricSpec read_fabric(const Tree& map);

// Of a kind that builds a network.
Network build_network(const FabricSpec& spec, const FabricContext& context);

// Of a kind of circuits.
CircuitFabric build_circuits(const FabricSpec& spec, const FabricContext& context);

}  // namespace loom
