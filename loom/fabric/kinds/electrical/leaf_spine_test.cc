#include "loom/fabric/kinds/electrical/leaf_spine.h"

#include <set>

#include "loom/base/testing.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

const std::string kText =
    "kind: leaf_spine, gpus_per_leaf: 4, spines: 2, bandwidth: 100 Gbps, latency: 1 us";

TEST(LeafSpine, EveryLeafIsLinkedToEverySpine) {
  const Network network = fabric_of(kText + ", routing: ecmp", 10);
  EXPECT_EQ(network.nodes, 10 + 3 + 2);
  EXPECT_EQ(network.links.size(), 2U * (10 + 6));
  EXPECT_EQ(network.links.back().bandwidth, 200_Gbps);
  expect_symmetric(network);
  expect_sound_routes(network);
}

TEST(LeafSpine, SplitBuildsTheSpinesAsOneTrunk) {
  const Network network = fabric_of(kText + ", oversubscription: 4", 10);
  EXPECT_EQ(network.nodes, 10 + 3 + 1);
  EXPECT_EQ(network.links.size(), 2U * (10 + 3));
  EXPECT_EQ(network.links.back().members, 2);
  EXPECT_EQ(network.links.back().bandwidth, 100_Gbps);
  expect_symmetric(network);
  expect_sound_routes(network);
}

TEST(LeafSpine, PathsAreTwoOrFourLinksLong) {
  const Network network = fabric_of(kText, 10);
  EXPECT_EQ(names_of(network, route_of(network, 0, 3)),
            (std::vector<std::string>{"0->leaf0", "leaf0->3"}));
  const Route across = route_of(network, 3, 8);
  EXPECT_EQ(names_of(network, across),
            (std::vector<std::string>{"3->leaf0", "leaf0->spine0", "spine0->leaf2", "leaf2->8"}));
  EXPECT_EQ(across.latency, 4_us);
}

TEST(LeafSpine, EcmpHashesOverTheSpinesAndAvoidsADownOne) {
  const Network network = fabric_of(kText + ", routing: ecmp", 8);
  std::vector<bool> down(network.links.size());
  down[route_of(network, 0, 7).hops[1].link] = true;
  std::set<int> used;
  for (std::uint64_t key = 0; key < 50; ++key) {
    used.insert(route_of(network, 0, 7, key).hops[1].link);
    const Route round = route_of(network, 0, 7, key, down);
    EXPECT_EQ(why(flaw_of(network, round, 0, 7)), "no objection");
    EXPECT_FALSE(down[round.hops[1].link]);
  }
  EXPECT_EQ(used.size(), 2U);
}

TEST(LeafSpine, ItsLevelsAreTheLeaves) {
  EXPECT_EQ(fabric_of(kText, 12).levels, (std::vector<int>{4, 3}));
}

TEST(LeafSpine, InvalidParametersAreRefused) {
  EXPECT_EQ(refusal_of("kind: leaf_spine, spines: 2, bandwidth: 1 Gbps", 4),
            "test.yaml:1: fabric lacks 'gpus_per_leaf' (devices per leaf switch)");
  EXPECT_EQ(refusal_of(kText + ", oversubscription: 0", 4),
            "test.yaml:1: fabric.oversubscription is 0; at least 1 is needed");
  EXPECT_EQ(refusal_of("kind: leaf_spine, gpus_per_leaf: 1, spines: 1000000, bandwidth: 1 Gbps, "
                       "routing: ecmp",
                       100),
            "test.yaml:1: the fabric has 200000200 links; at most 20000000 are possible");
  EXPECT_EQ(refusal_of("kind: leaf_spine, gpus_per_leaf: 1000000, spines: 1, bandwidth: 1 Pbps", 4),
            "test.yaml:1: fabric.bandwidth is 1 Pbps; a trunk of these links exceeds the maximum "
            "of 1000 Pbps");
}

}  // namespace
}  // namespace loom::fabric
