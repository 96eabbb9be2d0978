#include "loom/fabric/kinds/electrical/fat_tree.h"

#include <set>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

const std::string kText = "kind: fat_tree, bandwidth: 100 Gbps, latency: 1 us";

TEST(FatTree, WithoutTrunksItHasThreeLayersOfLinks) {
  const Network network = fabric_of(kText + ", radix: 4, routing: ecmp", 16);
  EXPECT_EQ(network.nodes, 16 + 8 + 8 + 4);
  EXPECT_EQ(network.links.size(), 2U * (16 + 16 + 16));
  expect_symmetric(network);
  expect_sound_routes(network);
}

TEST(FatTree, SplitBuildsParallelLinksAsTrunks) {
  const Network network = fabric_of(kText + ", radix: 8", 128);
  EXPECT_EQ(network.nodes, 128 + 32 + 8 + 1);
  EXPECT_EQ(network.links.size(), 2U * (128 + 32 + 8));
  const Route route = route_of(network, 0, 127);
  ASSERT_EQ(route.hops.size(), 6U);
  EXPECT_EQ(network.links[route.hops[1].link].members, 4);
  EXPECT_EQ(network.links[route.hops[1].link].bandwidth, 400_Gbps);
  EXPECT_EQ(network.links[route.hops[2].link].members, 16);
  EXPECT_EQ(network.links[route.hops[2].link].bandwidth, 1600_Gbps);
  expect_symmetric(network);
  expect_sound_routes(network);
}

TEST(FatTree, PathsAreTwoFourOrSixLinksLong) {
  for (const std::string routing : {"split", "ecmp", "shortest"}) {
    const Network network = fabric_of(fmt::format("{}, radix: 4, routing: {}", kText, routing), 16);
    EXPECT_EQ(route_of(network, 0, 1).hops.size(), 2U);
    EXPECT_EQ(route_of(network, 0, 3).hops.size(), 4U);
    EXPECT_EQ(route_of(network, 0, 5).hops.size(), 6U);
    EXPECT_EQ(route_of(network, 0, 1).latency, 2_us);
    EXPECT_EQ(route_of(network, 0, 3).latency, 4_us);
    EXPECT_EQ(route_of(network, 0, 5).latency, 6_us);
  }
}

TEST(FatTree, TheDefaultRadixIsOneOnSaleThatIsSufficient) {
  // Switches of 64 ports: 32 devices each. Groups of 8 do not straddle them.
  const Network two_tiers = fabric_of(kText + ", routing: ecmp", 128);
  EXPECT_EQ(two_tiers.nodes, 128 + 4 + 32);
  for (int server = 0; server < 16; ++server) {
    EXPECT_EQ(route_of(two_tiers, 8 * server, 8 * server + 7).hops.size(), 2U);
  }
  EXPECT_EQ(fabric_of(kText + ", routing: ecmp", 1025).nodes, 1025 + 33 + 2 * 32 + 1024);
  EXPECT_EQ(fabric_of(kText, 65'536).links[0].members, 1);
  EXPECT_EQ(fabric_of(kText, 65'536).nodes, 65'536 + 2048 + 64 + 1);
  EXPECT_EQ(fabric_of(kText, 65'537).nodes, 65'537 + 1025 + 17 + 1);  // of 128 ports
}

TEST(FatTree, HasNoTierThatNoMessagePasses) {
  EXPECT_EQ(fabric_of(kText, 1).nodes, 1 + 1);
  EXPECT_EQ(fabric_of(kText + ", radix: 4", 2).nodes, 2 + 1);
  EXPECT_EQ(fabric_of(kText + ", radix: 4, routing: ecmp", 4).nodes, 4 + 2 + 2);
  EXPECT_EQ(fabric_of(kText + ", radix: 4, routing: ecmp", 5).nodes, 5 + 3 + 2 * 2 + 4);
  for (const int devices : {2, 3, 4, 5}) {
    for (const std::string routing : {"split", "ecmp", "shortest"}) {
      expect_sound_routes(fabric_of(kText + ", radix: 4, routing: " + routing, devices));
    }
  }
}

TEST(FatTree, OversubscriptionDividesTheBandwidthAboveTheEdge) {
  const Network network =
      fabric_of("kind: fat_tree, bandwidth: 110 bps, radix: 4, oversubscription: 1.1", 16);
  const Route route = route_of(network, 0, 15);
  EXPECT_EQ(network.links[route.hops[0].link].bandwidth, 110_bps);
  EXPECT_EQ(network.links[route.hops[1].link].bandwidth, 200_bps);
  EXPECT_EQ(network.links[route.hops[2].link].bandwidth, 400_bps);
  const Network thin = fabric_of(
      "kind: fat_tree, radix: 4, bandwidth: 1 bps, routing: ecmp, oversubscription: 3", 16);
  EXPECT_EQ(thin.links.back().bandwidth, 1_bps);
}

TEST(FatTree, EcmpUsesEveryCoreAndHashesByMessage) {
  const Network network = fabric_of(kText + ", radix: 8, routing: ecmp", 128);
  std::set<int> used;
  for (std::uint64_t key = 0; key < 200; ++key) {
    const Route route = route_of(network, 0, 127, key);
    ASSERT_EQ(why(flaw_of(network, route, 0, 127)), "no objection");
    used.insert(network.links[route.hops[2].link].to);
  }
  EXPECT_EQ(used.size(), 16U);
}

TEST(FatTree, ShortestSpreadsDestinationsOverTheCoresAndIgnoresTheKey) {
  const Network network = fabric_of(kText + ", radix: 8, routing: shortest", 128);
  std::set<int> used;
  for (int destination = 112; destination < 128; ++destination) {
    const Route route = route_of(network, 0, destination, 1);
    used.insert(network.links[route.hops[2].link].to);
    EXPECT_EQ(names_of(network, route), names_of(network, route_of(network, 0, destination, 2)));
  }
  EXPECT_EQ(used.size(), 16U);
}

TEST(FatTree, ADetourAroundADownLinkIsFoundUnlessItIsATrunk) {
  const Network network = fabric_of(kText + ", radix: 4, routing: shortest", 16);
  std::vector<bool> down(network.links.size());
  down[route_of(network, 0, 15).hops[2].link] = true;
  const Route route = route_of(network, 0, 15, 0, down);
  EXPECT_EQ(why(flaw_of(network, route, 0, 15)), "no objection");
  EXPECT_EQ(route.hops.size(), 6U);
  EXPECT_FALSE(down[route.hops[2].link]);

  const Network trunks = fabric_of(kText + ", radix: 4", 16);
  std::vector<bool> trunk_down(trunks.links.size());
  trunk_down[route_of(trunks, 0, 15).hops[2].link] = true;
  Route none;
  EXPECT_FALSE(trunks.router->find(DeviceId(0), DeviceId(15), 0, trunk_down, none));
}

TEST(FatTree, ItsLevelsAreEdgeSwitchesAndPods) {
  EXPECT_EQ(fabric_of(kText + ", radix: 4", 16).levels, (std::vector<int>{2, 2, 4}));
  EXPECT_EQ(fabric_of(kText + ", radix: 4", 10).levels, (std::vector<int>{2, 5}));
}

TEST(FatTree, ALargeOneIsBuiltAndRouted) {
  for (const std::string routing : {"split", "ecmp"}) {
    const Network network = fabric_of(fmt::format("{}, routing: {}", kText, routing), 131'072);
    Random random = random_stream(7);
    for (int sample = 0; sample < 1000; ++sample) {
      const int source = static_cast<int>(random(131'072));
      const int destination = static_cast<int>((source + 1 + random(131'071)) % 131'072);
      const Route route = route_of(network, source, destination, random());
      ASSERT_EQ(why(flaw_of(network, route, source, destination)), "no objection");
    }
  }
}

TEST(FatTree, InvalidParametersAreRefused) {
  EXPECT_EQ(refusal_of(kText + ", radix: 7", 16),
            "test.yaml:1: fabric.radix is 7; an even number is needed");
  EXPECT_EQ(refusal_of(kText + ", radix: 4", 17),
            "test.yaml:1: fabric.radix is 4; it holds 16 devices; room for 17 is needed");
  EXPECT_EQ(refusal_of(kText + ", oversubscription: 0.5", 16),
            "test.yaml:1: fabric.oversubscription is 0.5; at least 1 is needed");
  EXPECT_EQ(refusal_of(kText + ", routing: emcp", 16),
            "test.yaml:1: fabric.routing is emcp; one of shortest, ecmp, split is needed (did you "
            "mean 'ecmp'?)");
  EXPECT_EQ(refusal_of("kind: fat_tree, bandwidth: 1 Pbps, radix: 128", 4097),
            "test.yaml:1: fabric.bandwidth is 1 Pbps; a trunk of these links exceeds the maximum "
            "of 1000 Pbps");
}

}  // namespace
}  // namespace loom::fabric
