#include "loom/fabric/kinds/electrical/switch.h"

#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

TEST(Switch, EveryDeviceHasOneLinkInEachDirection) {
  const Network network = fabric_of("kind: switch, bandwidth: 400 Gbps, latency: 2 us", 5);
  EXPECT_EQ(network.nodes, 6);
  EXPECT_EQ(network.links.size(), 10U);
  EXPECT_EQ(network.links[7].bandwidth, 400_Gbps);
  expect_symmetric(network, false);
  expect_sound_routes(network);
}

TEST(Switch, TheLatencyCountsOnceFromDeviceToDevice) {
  const Network network = fabric_of("kind: switch, bandwidth: 1 Gbps, latency: 2 us", 5);
  const Route route = route_of(network, 3, 1);
  EXPECT_EQ(names_of(network, route), (std::vector<std::string>{"3->switch", "switch->1"}));
  EXPECT_EQ(route.latency, 2_us);
}

TEST(Switch, ThereIsNoDetourAroundADownLink) {
  const Network network = fabric_of("kind: switch, bandwidth: 1 Gbps", 3);
  std::vector<bool> down(network.links.size());
  down[0] = true;
  Route route;
  EXPECT_FALSE(network.router->find(DeviceId(0), DeviceId(1), 0, down, route));
  EXPECT_TRUE(network.router->find(DeviceId(1), DeviceId(0), 0, down, route));
}

TEST(Switch, ABandwidthIsNeeded) {
  EXPECT_EQ(
      refusal_of("kind: switch", 4),
      "test.yaml:1: fabric lacks 'bandwidth' (bandwidth between one device and the network, per "
      "direction)");
  EXPECT_EQ(refusal_of("kind: switch, bandwidth: 0 Gbps", 4),
            "test.yaml:1: fabric.bandwidth is 0 Gbps; at least 1 bps is needed");
}

}  // namespace
}  // namespace loom::fabric
