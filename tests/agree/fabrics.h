// One small fabric of every kind, with device counts, for running every collective.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/fabric/testing.h"

namespace loom {

struct NamedFabric {
  std::string name;
  std::string text;  // argument of fabric_of()
  std::vector<int> devices;
};

inline std::vector<NamedFabric> small_fabrics() {
  const std::string links = "bandwidth: 100 Gbps, latency: 500 ns";
  const std::string servers =
      links + ", gpus_per_server: 4, inside_bandwidth: 900 Gbps, " + "inside_latency: 100 ns";
  return {
      {"switch", "kind: switch, " + links, {2, 3, 5, 8, 12, 16}},
      {"cluster", "kind: cluster, " + servers, {8, 12, 16}},
      {"rail", "kind: rail, " + servers, {8, 12, 16}},
      {"leaf_spine", "kind: leaf_spine, gpus_per_leaf: 4, spines: 2, " + links, {8, 12, 16}},
      {"leaf_spine ecmp",
       "kind: leaf_spine, gpus_per_leaf: 4, spines: 2, routing: ecmp, " + links,
       {8, 12, 16}},
      {"fat_tree split", "kind: fat_tree, radix: 4, " + links, {8, 12, 16}},
      {"fat_tree 2:1", "kind: fat_tree, radix: 4, oversubscription: 2, " + links, {8, 12, 16}},
      {"fat_tree ecmp", "kind: fat_tree, radix: 4, routing: ecmp, " + links, {8, 12, 16}},
      {"full_mesh", "kind: full_mesh, " + links, {2, 5, 8, 16}},
      {"torus 1D", "kind: torus, shape: 8, " + links, {8}},
      {"torus 2D", "kind: torus, shape: 4x4, " + links, {16}},
      {"torus 2D split", "kind: torus, shape: 4x4, routing: split, " + links, {16}},
      {"torus 3D", "kind: torus, shape: 2x3x4, " + links, {24}},
      {"dragonfly",
       "kind: dragonfly, routers_per_group: 2, gpus_per_router: 2, global_links_per_router: 2, " +
           links,
       {8, 16}},
      {"random_regular",
       "kind: random_regular, degree: 3, gpus_per_switch: 2, " + links,
       {8, 12, 16}},
      {"oddl", "kind: oddl, " + links, {2, 5, 8, 12, 16}},
  };
}

// Rotating fabrics, and slices of cubes.
inline std::vector<NamedFabric> clocked_fabrics() {
  const std::string links = "bandwidth: 100 Gbps, latency: 500 ns";
  return {
      {"rotornet", "kind: rotornet, " + links, {2, 3, 8, 13}},
      {"rotornet direct", "kind: rotornet, routing: direct, switches: 2, " + links, {5, 8}},
      {"opera", "kind: opera, routing: direct, " + links, {8, 15}},
      {"opera expander", "kind: opera, routing: expander, switches: 4, " + links, {8, 16}},
      {"sirius", "kind: sirius, grating: 4, " + links, {3, 8, 16}},
      {"shoal", "kind: shoal, " + links, {8, 12}},
      {"shoal by devices", "kind: shoal, links: devices, " + links, {8, 12}},
      {"tpu_torus inside", "kind: tpu_torus, shape: 2x3x4, " + links, {24}},
      {"tpu_torus", "kind: tpu_torus, shape: 4x4x4, routing: shortest, " + links, {64}},
  };
}

inline std::vector<NamedFabric> all_fabrics() {
  std::vector<NamedFabric> all = small_fabrics();
  for (NamedFabric& it : clocked_fabrics()) all.push_back(std::move(it));
  return all;
}

}  // namespace loom
