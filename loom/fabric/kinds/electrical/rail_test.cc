#include "loom/fabric/kinds/electrical/rail.h"

#include "loom/base/testing.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

using Names = std::vector<std::string>;

const std::string kText =
    "kind: rail, gpus_per_server: 4, inside_bandwidth: 900 Gbps, inside_latency: 1 us, "
    "bandwidth: 100 Gbps, latency: 5 us";

TEST(Rail, EveryDeviceIsLinkedToItsRailAndItsServer) {
  const Network network = fabric_of(kText, 12);
  EXPECT_EQ(network.links.size(), 48U);
  EXPECT_EQ(network.nodes, 12 + 4 + 3);
  EXPECT_EQ(network.levels, (std::vector<int>{4, 3}));
  expect_symmetric(network, false);
  expect_sound_routes(network);
}

TEST(Rail, AMessageChangesRailsInItsOwnServer) {
  const Network network = fabric_of(kText, 12);
  EXPECT_EQ(names_of(network, route_of(network, 0, 3)), (Names{"0->server0", "server0->3"}));
  EXPECT_EQ(names_of(network, route_of(network, 1, 9)), (Names{"1->rail1", "rail1->9"}));
  const Route both = route_of(network, 1, 10);
  EXPECT_EQ(names_of(network, both), (Names{"1->server0", "server0->2", "2->rail2", "rail2->10"}));
  EXPECT_EQ(both.latency, 6_us);
}

TEST(Rail, FromAServerWithoutThatRailAMessageChangesRailsAtItsDestination) {
  const Network network = fabric_of(kText, 9);
  EXPECT_EQ(names_of(network, route_of(network, 8, 3)),
            (Names{"8->rail0", "rail0->0", "0->server0", "server0->3"}));
  expect_sound_routes(network);
}

TEST(Rail, AroundADownRailAMessageUsesAnother) {
  const Network network = fabric_of(kText, 8);
  std::vector<bool> down(network.links.size());
  down[route_of(network, 1, 5).hops[0].link] = true;
  const Route route = route_of(network, 1, 5, 0, down);
  EXPECT_EQ(why(flaw_of(network, route, 1, 5)), "no objection");
  EXPECT_EQ(route.hops.size(), 6U);
}

TEST(Rail, FewerDevicesThanRailsAreOneServer) {
  const Network network = fabric_of(kText, 3);
  EXPECT_EQ(network.nodes, 3 + 3 + 1);
  expect_sound_routes(network);
}

TEST(Rail, ItNeedsAnInsideBandwidth) {
  EXPECT_EQ(refusal_of("kind: rail, bandwidth: 1 Gbps", 4),
            "test.yaml:1: fabric lacks 'inside_bandwidth' (bandwidth of one device inside its "
            "server, per direction)");
}

}  // namespace
}  // namespace loom::fabric
