// Registry of fabric kinds, and the functions that build a network from a fabric description.
//
// To add a kind, write a header and a source that define a FabricKind, add it to the list in
// kinds.cc, and add a test and an example.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"
#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/components.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// Inputs for building a fabric, besides its own parameters.
struct FabricContext {
  int devices = 0;
  std::uint64_t seed = 0;
  std::string_view routing = {};  // one of routings_of() in place of `routing: auto`
  Floor floor = {};               // where devices and switches stand, for the bill of materials
};

struct FabricKind {
  std::string_view name;     // as written in a scenario: "fat_tree"
  std::string_view summary;  // one line of help
  std::span<const Parameter> parameters;
  // A kind has exactly one of `build` and `circuits`. `build` returns a network; `circuits` returns
  // a fabric that becomes a network once its circuits are provisioned. Both throw InputError if the
  // parameters contradict each other or do not fit the number of devices.
  Network (*build)(const Settings& settings, const FabricContext& context);
  CircuitFabric (*circuits)(const Settings& settings, const FabricContext& context) = nullptr;
  // Returns the bill of materials; nullptr if the bill follows from the links or circuits.
  Bill (*components)(const Settings& settings, const FabricContext& context) = nullptr;
  // Returns the routings that `routing: auto` may stand for; nullptr if it is not allowed.
  std::vector<std::string_view> (*routings)(const Settings& settings,
                                            const FabricContext& context) = nullptr;
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

// The routings among which planning chooses, the default first; empty if the fabric has only one.
std::vector<std::string_view> routings_of(const FabricSpec& spec, const FabricContext& context);

// Requires a kind that builds a network.
Network build_network(const FabricSpec& spec, const FabricContext& context);

// Requires a kind with circuits.
CircuitFabric build_circuits(const FabricSpec& spec, const FabricContext& context);

}  // namespace loom::fabric
