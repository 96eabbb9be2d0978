// Properties of every fabric kind. A new kind needs a line in samples().
#include <algorithm>
#include <queue>
#include <set>

#include "loom/base/files.h"
#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/kinds/electrical/custom.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

struct Sample {
  std::string text;
  int devices;
  bool devices_forward = false;
  bool shortest = true;  // routes are shortest paths
};

std::string graph_file() {
  std::string file = testing::TempDir() + "kinds_graph.yaml";
  write_file(file,
             "links:\n"
             "  - {from: 0, to: a, bandwidth: 10 Gbps, latency: 1 us}\n"
             "  - {from: a, to: b, bandwidth: 10 Gbps, latency: 2 us}\n"
             "  - {from: a, to: b, bandwidth: 10 Gbps, latency: 3 us}\n"
             "  - {from: a, to: c, bandwidth: 10 Gbps, members: 2}\n"
             "  - {from: b, to: 1, bandwidth: 10 Gbps, duplex: false}\n"
             "  - {from: c, to: 1, bandwidth: 10 Gbps}\n"
             "  - {from: 1, to: 2, bandwidth: 10 Gbps}\n");
  return file;
}

std::vector<Sample> samples() {
  const std::string link = ", bandwidth: 10 Gbps, latency: 1 us";
  const std::string inside = ", inside_bandwidth: 90 Gbps, inside_latency: 300 ns" + link;
  std::vector<Sample> all = {{"kind: switch" + link, 7},
                             {"kind: cluster, gpus_per_server: 3" + inside, 11},
                             {"kind: nvl72" + link, 75},
                             {"kind: rail, gpus_per_server: 3" + inside, 12, true},
                             {"kind: rail, gpus_per_server: 4" + inside, 10, true},
                             {"kind: full_mesh" + link, 6, true},
                             {"kind: full_mesh, egress: 10 Gbps", 5, true},
                             {"kind: quartz" + link, 5, true},
                             {"kind: rotornet" + link, 7, true, false},
                             {"kind: rotornet, routing: direct, switches: 3" + link, 8, true},
                             {"kind: opera" + link, 6, true, false},
                             {"kind: opera, routing: direct" + link, 6, true},
                             {"kind: opera, routing: valiant" + link, 9, true, false},
                             {"kind: opera, switches: 5, routing: expander" + link, 15, true},
                             {"kind: sirius, grating: 4" + link, 10, true, false},
                             {"kind: shoal" + link, 6, true, false},
                             {"kind: shoal, links: devices" + link, 9},
                             {"kind: tpu_torus, shape: 4x4x4" + link, 64, true},
                             {"kind: oddl" + link, 12, true},
                             {"kind: oddl, shape: 3x4" + link, 10, true},
                             {"kind: oddl, shape: 1x5" + link, 5, true},
                             {"kind: oddl, shape: 4x1" + link, 4, true}};
  for (const std::string routing : {"shortest", "ecmp", "split"}) {
    const std::string rest = fmt::format("{}, routing: {}", link, routing);
    all.push_back({"kind: fat_tree, radix: 4, oversubscription: 2" + rest, 16});
    all.push_back({"kind: fat_tree, radix: 6" + rest, 23});
    all.push_back({"kind: leaf_spine, gpus_per_leaf: 4, spines: 3" + rest, 14});
    all.push_back({"kind: torus, shape: 3x4x2" + rest, 24, true});
    all.push_back({"kind: torus, shape: 6x4" + rest, 24, true});
    all.push_back({"kind: tpu_torus, shape: 2x3x4" + rest, 24, true});
    all.push_back(
        {"kind: dragonfly, routers_per_group: 3, gpus_per_router: 2, "
         "global_links_per_router: 1, global_latency: 5 us" +
             rest,
         20, false, false});
    all.push_back({"kind: random_regular, degree: 3, gpus_per_switch: 2" + rest, 16});
    all.push_back({"kind: random_regular, degree: 4, gpus_per_switch: 0" + rest, 15, true});
    all.push_back(
        {fmt::format("kind: custom, file: {}, routing: {}", graph_file(), routing), 3, true});
  }
  return all;
}

// Number of links on a shortest path to `destination`, by plain breadth-first search backward from
// it. -1: no path.
std::vector<int> plain_distances(const Network& network, const Sample& sample, int destination,
                                 const std::vector<bool>& down) {
  std::vector<int> distance(static_cast<std::size_t>(network.nodes), -1);
  std::queue<int> waiting({destination});
  distance[destination] = 0;
  for (; !waiting.empty(); waiting.pop()) {
    const int node = waiting.front();
    if (node != destination && node < network.devices && !sample.devices_forward) continue;
    for (std::size_t number = 0; number < network.links.size(); ++number) {
      const Link& link = network.links[number];
      if (link.to != node || down[number] || distance[link.from] >= 0) continue;
      distance[link.from] = distance[node] + 1;
      waiting.push(link.from);
    }
  }
  return distance;
}

// Every hop leads one link closer, over links that are up, through nodes that may forward.
void expect_shortest(const Network& network, const Sample& sample, const Route& route,
                     const std::vector<int>& distance, const std::vector<bool>& down) {
  for (const Hop& hop : route.hops) {
    const Link& link = network.links[hop.link];
    ASSERT_FALSE(down[hop.link]);
    ASSERT_TRUE(!sample.shortest || distance[link.from] == distance[link.to] + 1);
    const bool end = distance[link.to] == 0;
    ASSERT_TRUE(end || sample.devices_forward || link.to >= network.devices);
  }
}

void expect_routes(const Network& network, const Sample& sample, const std::vector<bool>& down,
                   std::uint64_t key) {
  for (int destination = 0; destination < network.devices; ++destination) {
    const std::vector<int> distance = plain_distances(network, sample, destination, down);
    for (int source = 0; source < network.devices; ++source) {
      if (source == destination) continue;
      Route route;
      const bool found =
          network.router->find(DeviceId(source), DeviceId(destination), key, down, route);
      ASSERT_EQ(found, distance[source] >= 0) << source << " to " << destination;
      if (!found) continue;
      ASSERT_EQ(why(flaw_of(network, route, source, destination)), "no objection");
      expect_shortest(network, sample, route, distance, down);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(EveryFabric, HasASample) {
  std::set<const FabricKind*> sampled;
  for (const Sample& sample : samples()) {
    sampled.insert(read_fabric(parse_yaml("{" + sample.text + "}", "test.yaml")).kind);
  }
  for (const FabricKind& kind : fabric_kinds()) {
    EXPECT_EQ(kind.build == nullptr, kind.circuits != nullptr) << kind.name;
    EXPECT_EQ(sampled.count(&kind), kind.build == nullptr ? 0U : 1U) << kind.name;
  }
}

TEST(EveryFabric, ConnectsEveryPairOfDevicesByShortestPaths) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.text);
    const Network network = fabric_of(sample.text, sample.devices);
    ASSERT_EQ(network.devices, sample.devices);
    const std::vector<bool> none(network.links.size(), false);
    for (std::uint64_t key = 0; key < 3; ++key) expect_routes(network, sample, none, key);
  }
}

TEST(EveryFabric, FindsADetourAroundDownLinksWhereverThereIsOne) {
  for (const Sample& sample : samples()) {
    const Network network = fabric_of(sample.text, sample.devices);
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      SCOPED_TRACE(fmt::format("{} with seed {}", sample.text, seed));
      Random random = random_stream(seed);
      std::vector<bool> down(network.links.size());
      for (auto&& link : down) link = random(16) <= seed % 4;
      expect_routes(network, sample, down, seed);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(EveryFabric, IsTheSameEachTimeItIsBuilt) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.text);
    const Network one = fabric_of(sample.text, sample.devices);
    const Network other = fabric_of(sample.text, sample.devices);
    EXPECT_EQ(to_text(one), to_text(other));
    for (int device = 1; device < sample.devices; ++device) {
      EXPECT_EQ(names_of(one, route_of(one, 0, device)),
                names_of(other, route_of(other, 0, device)));
    }
  }
}

TEST(EveryFabric, ReadsBackFromItsText) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.text);
    const Network network = fabric_of(sample.text, sample.devices);
    const Network again = read_custom_graph(to_text(network), "again.yaml", false);
    EXPECT_EQ(again.devices, network.devices);
    ASSERT_EQ(again.links.size(), network.links.size());
    EXPECT_EQ(to_text(again), to_text(network));
  }
}

TEST(EveryFabric, HasUniqueSwitchNamesAndLevelsThatMultiplyToItsDevices) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.text);
    const Network network = fabric_of(sample.text, sample.devices);
    EXPECT_EQ(network.devices + static_cast<int>(network.switch_names.size()), network.nodes);
    const std::set<std::string> names(network.switch_names.begin(), network.switch_names.end());
    EXPECT_EQ(names.size(), network.switch_names.size());
    int product = 1;
    for (const int level : network.levels) product *= level;
    EXPECT_EQ(product, network.levels.empty() ? 1 : network.devices);
  }
}

TEST(EveryFabric, CanHaveASingleDevice) {
  for (const std::string kind :
       {"switch", "cluster, inside_bandwidth: 1 Gbps", "fat_tree", "fat_tree, routing: ecmp",
        "leaf_spine, gpus_per_leaf: 4, spines: 2", "rail, inside_bandwidth: 1 Gbps", "full_mesh",
        "torus, shape: 1", "rotornet", "rotornet, routing: direct", "opera",
        "opera, routing: expander", "sirius", "shoal", "tpu_torus, shape: 1x1x1",
        "dragonfly, routers_per_group: 2, gpus_per_router: 2, global_links_per_router: 1"}) {
    EXPECT_EQ(fabric_of(fmt::format("kind: {}, bandwidth: 1 Gbps", kind), 1).devices, 1);
  }
}

TEST(Kinds, AnUnknownKindIsRefusedWithTheNearestName) {
  std::string list;
  for (const FabricKind& kind : fabric_kinds()) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", kind.name);
  }
  EXPECT_EQ(refusal_of("kind: fattree", 4), "test.yaml:1: fabric.kind is fattree; one of " + list +
                                                " is needed (did you mean 'fat_tree'?)");
  EXPECT_EQ(refusal_of("bandwidth: 1 Gbps", 4), "test.yaml:1: fabric lacks 'kind' (" + list + ")");
  EXPECT_EQ(refusal_of("kind: [torus]", 4),
            "test.yaml:1: fabric.kind is not a single value; one of " + list + " is needed");
  EXPECT_EQ(message_of([] { read_fabric(parse_yaml("torus", "test.yaml")); }),
            "test.yaml:1: fabric is not a map; a kind and its parameters are needed");
}

TEST(Kinds, ANameIsAnOptionalLabel) {
  const auto name = [](const std::string& text) {
    return read_fabric(parse_yaml("{kind: switch, bandwidth: 1 Gbps" + text + "}", "test.yaml"))
        .name;
  };
  EXPECT_EQ(name(""), "");
  EXPECT_EQ(name(", name: ideal"), "ideal");
  EXPECT_EQ(message_of([&] { name(", name: []"); }),
            "test.yaml:1: fabric.name is not a text; a text is needed");
}

}  // namespace
}  // namespace loom::fabric
