// The registry of fabric kinds, and the reader of fabric descriptions.
#include <fmt/format.h>

#include <array>

#include "loom/base/error.h"
#include "loom/fabric/fabric.h"
#include "loom/fabric/kinds/electrical/cluster.h"
#include "loom/fabric/kinds/electrical/custom.h"
#include "loom/fabric/kinds/electrical/dragonfly.h"
#include "loom/fabric/kinds/electrical/fat_tree.h"
#include "loom/fabric/kinds/electrical/full_mesh.h"
#include "loom/fabric/kinds/electrical/leaf_spine.h"
#include "loom/fabric/kinds/electrical/rail.h"
#include "loom/fabric/kinds/electrical/random_regular.h"
#include "loom/fabric/kinds/electrical/switch.h"
#include "loom/fabric/kinds/electrical/torus.h"
#include "loom/fabric/kinds/optical/helios.h"
#include "loom/fabric/kinds/optical/megaswitch.h"
#include "loom/fabric/kinds/optical/mordia.h"
#include "loom/fabric/kinds/optical/oddl.h"
#include "loom/fabric/kinds/optical/opera.h"
#include "loom/fabric/kinds/optical/quartz.h"
#include "loom/fabric/kinds/optical/rotornet.h"
#include "loom/fabric/kinds/optical/shoal.h"
#include "loom/fabric/kinds/optical/sip_ocs.h"
#include "loom/fabric/kinds/optical/sip_ring.h"
#include "loom/fabric/kinds/optical/sirius.h"
#include "loom/fabric/kinds/optical/topoopt.h"
#include "loom/fabric/kinds/optical/tpu_torus.h"

namespace loom::fabric {
namespace {

constexpr std::array<std::string_view, 2> kOwnKeys = {"kind", "name"};

const FabricKind& read_kind(const Tree& map) {
  std::string list;
  std::vector<std::string_view> names;
  for (const FabricKind& kind : fabric_kinds()) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", kind.name);
    names.push_back(kind.name);
  }
  const Tree* given = map.find("kind");
  if (given == nullptr)
    throw InputError(map.location, fmt::format("fabric lacks 'kind' ({})", list));
  if (given->kind != Tree::Kind::scalar) {
    throw InputError(given->location,
                     "fabric.kind is not a single value; one of " + list + " is needed");
  }
  const FabricKind* kind = find_fabric_kind(given->text);
  if (kind == nullptr) {
    throw InputError(given->location, fmt::format("fabric.kind is {}; one of {} is needed{}",
                                                  given->text.empty() ? "empty" : given->text, list,
                                                  suggestion(given->text, names)));
  }
  return *kind;
}

std::string read_name(const Tree& map) {
  const Tree* given = map.find("name");
  if (given == nullptr) return "";
  if (given->kind != Tree::Kind::scalar || given->text.empty()) {
    throw InputError(given->location, "fabric.name is not a text; a text is needed");
  }
  return given->text;
}

}  // namespace

std::span<const FabricKind> fabric_kinds() {
  static const std::array kKinds = {
      kSwitchKind, kClusterKind,  kNvl72Kind,   kFatTreeKind,   kLeafSpineKind,
      kRailKind,   kFullMeshKind, kTorusKind,   kDragonflyKind, kRandomRegularKind,
      kCustomKind, kSipOcsKind,   kSipRingKind, kMordiaKind,    kMegaswitchKind,
      kQuartzKind, kTopooptKind,  kOddlKind,    kRotornetKind,  kOperaKind,
      kSiriusKind, kShoalKind,    kHeliosKind,  kTpuTorusKind};
  return kKinds;
}

const FabricKind* find_fabric_kind(std::string_view name) {
  for (const FabricKind& kind : fabric_kinds()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

FabricSpec read_fabric(const Tree& map) {
  if (map.kind != Tree::Kind::map) {
    throw InputError(map.location, "fabric is not a map; a kind and its parameters are needed");
  }
  const FabricKind& kind = read_kind(map);
  return {&kind, read_name(map), Settings(map, kind.parameters, "fabric", kOwnKeys)};
}

std::vector<std::string_view> routings_of(const FabricSpec& spec, const FabricContext& context) {
  if (spec.kind->routings == nullptr || spec.settings.text("routing") != "auto") return {};
  return spec.kind->routings(spec.settings, context);
}

Network build_network(const FabricSpec& spec, const FabricContext& context) {
  LOOM_CHECK(spec.kind != nullptr && context.devices >= 1, "a fabric is read before it is built");
  LOOM_CHECK(spec.kind->build != nullptr, "circuits become a network once they are provisioned");
  return spec.kind->build(spec.settings, context);
}

CircuitFabric build_circuits(const FabricSpec& spec, const FabricContext& context) {
  LOOM_CHECK(spec.kind->circuits != nullptr, "only a circuit fabric has circuits");
  return spec.kind->circuits(spec.settings, context);
}

}  // namespace loom::fabric
