#include "loom/fabric/kinds/electrical/full_mesh.h"

#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

TEST(FullMesh, EveryPairHasALinkInEachDirection) {
  const Network network = fabric_of("kind: full_mesh, bandwidth: 50 Gbps, latency: 300 ns", 6);
  EXPECT_EQ(network.links.size(), 30U);
  EXPECT_EQ(network.nodes, 6);
  for (int from = 0; from < 6; ++from) {
    for (int to = 0; to < 6; ++to) {
      if (from == to) continue;
      const Route route = route_of(network, from, to);
      ASSERT_EQ(names_of(network, route),
                (std::vector<std::string>{fmt::format("{}->{}", from, to)}));
      ASSERT_EQ(route.latency, 300_ns);
    }
  }
  expect_symmetric(network);
}

TEST(FullMesh, EgressIsDividedOverTheLinks) {
  const Network network = fabric_of("kind: full_mesh, egress: 100 bps", 4);
  EXPECT_EQ(network.links[0].bandwidth, 33_bps);
  EXPECT_TRUE(fabric_of("kind: full_mesh, egress: 100 bps", 1).links.empty());
}

TEST(FullMesh, AroundADownLinkADeviceForwards) {
  const Network network = fabric_of("kind: full_mesh, bandwidth: 1 Gbps", 4);
  std::vector<bool> down(network.links.size());
  down[route_of(network, 0, 3).hops[0].link] = true;
  EXPECT_EQ(names_of(network, route_of(network, 0, 3, 0, down)),
            (std::vector<std::string>{"0->1", "1->3"}));
}

TEST(FullMesh, ExactlyOneOfBandwidthAndEgressIsNeeded) {
  EXPECT_EQ(refusal_of("kind: full_mesh", 4),
            "test.yaml:1: fabric has neither bandwidth nor egress; exactly one is needed");
  EXPECT_EQ(refusal_of("kind: full_mesh, bandwidth: 1 Gbps, egress: 1 Gbps", 4),
            "test.yaml:1: fabric has both bandwidth and egress; exactly one is needed");
  EXPECT_EQ(refusal_of("kind: full_mesh, egress: 2 bps", 4),
            "test.yaml:1: fabric.egress is 2 bps; a device has 3 links; at least 3 bps is needed");
}

TEST(FullMesh, TooManyLinksAreRefused) {
  EXPECT_EQ(refusal_of("kind: full_mesh, bandwidth: 1 Gbps", 100'000),
            "test.yaml:1: the fabric has 9999900000 links; at most 20000000 are possible");
}

}  // namespace
}  // namespace loom::fabric
