#include "loom/fabric/kinds/electrical/cluster.h"

#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

const std::string kText =
    "kind: cluster, gpus_per_server: 4, inside_bandwidth: 900 Gbps, inside_latency: 500 ns, "
    "bandwidth: 100 Gbps, latency: 5 us";

TEST(Cluster, EveryDeviceHasANicAndALinkInside) {
  const Network network = fabric_of(kText, 10);
  EXPECT_EQ(network.links.size(), 40U);
  EXPECT_EQ(network.switch_names,
            (std::vector<std::string>{"core", "server0", "server1", "server2"}));
  expect_symmetric(network, false);
  expect_sound_routes(network);
}

TEST(Cluster, DevicesOfAServerCommunicateInsideItAndOthersOverTheCore) {
  const Network network = fabric_of(kText, 10);
  const Route inside = route_of(network, 4, 7);
  EXPECT_EQ(names_of(network, inside), (std::vector<std::string>{"4->server1", "server1->7"}));
  EXPECT_EQ(inside.latency, 500_ns);
  EXPECT_EQ(network.links[inside.hops[0].link].bandwidth, 900_Gbps);
  const Route across = route_of(network, 3, 4);
  EXPECT_EQ(names_of(network, across), (std::vector<std::string>{"3->core", "core->4"}));
  EXPECT_EQ(across.latency, 5_us);
  EXPECT_EQ(network.links[across.hops[0].link].bandwidth, 100_Gbps);
}

TEST(Cluster, DevicesOfAServerUseTheCoreIfALinkInsideIsDown) {
  const Network network = fabric_of(kText, 8);
  std::vector<bool> down(network.links.size());
  down[route_of(network, 4, 7).hops[0].link] = true;
  const Route route = route_of(network, 4, 7, 0, down);
  EXPECT_EQ(names_of(network, route), (std::vector<std::string>{"4->core", "core->7"}));
}

TEST(Cluster, NoDeviceForwardsForAnother) {
  const Network network = fabric_of(kText, 8);
  std::vector<bool> down(network.links.size());
  down[route_of(network, 4, 0).hops[0].link] = true;
  Route route;
  EXPECT_FALSE(network.router->find(DeviceId(4), DeviceId(0), 0, down, route));
}

TEST(Cluster, ItsLevelsAreTheServers) {
  EXPECT_EQ(fabric_of(kText, 12).levels, (std::vector<int>{4, 3}));
  EXPECT_TRUE(fabric_of(kText, 10).levels.empty());
  EXPECT_TRUE(fabric_of(kText, 4).levels.empty());
}

TEST(Cluster, AServerNeedsADevice) {
  EXPECT_EQ(refusal_of(kText + ", name: x, gpus_per_sever: 3", 4),
            "test.yaml:1: fabric has no key 'gpus_per_sever' (did you mean 'gpus_per_server'?); "
            "known are kind, name, gpus_per_server, inside_bandwidth, inside_latency, bandwidth, "
            "latency, radix");
  EXPECT_EQ(refusal_of("kind: cluster, gpus_per_server: 0, inside_bandwidth: 1 Gbps, "
                       "bandwidth: 1 Gbps",
                       4),
            "test.yaml:1: fabric.gpus_per_server is 0; at least 1 is needed");
}

}  // namespace
}  // namespace loom::fabric
