#include "loom/fabric/kinds/electrical/torus.h"

#include <set>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

using Names = std::vector<std::string>;

std::string torus(const std::string& shape, const std::string& more = "") {
  return "kind: torus, bandwidth: 100 Gbps, latency: 1 us, shape: " + shape + more;
}

TEST(Torus, EveryDimensionAddsTwoLinksAndOneOfSizeTwoAddsOne) {
  EXPECT_EQ(fabric_of(torus("4x3"), 12).links.size(), 12U * 4);
  EXPECT_EQ(fabric_of(torus("4x2"), 8).links.size(), 8U * 3);
  EXPECT_EQ(fabric_of(torus("1x5x1"), 5).links.size(), 5U * 2);
  EXPECT_EQ(fabric_of(torus("2"), 2).links.size(), 2U);
  EXPECT_EQ(fabric_of(torus("1"), 1).links.size(), 0U);
}

TEST(Torus, EveryShapeIsSymmetricAndSound) {
  for (const std::string shape : {"24", "4x6", "2x3x4", "2x2x2x3", "6x1x4"}) {
    for (const std::string routing : {"shortest", "ecmp", "split"}) {
      SCOPED_TRACE(fmt::format("{} {}", shape, routing));
      const Network network = fabric_of(torus(shape, ", routing: " + routing), 24);
      expect_symmetric(network);
      expect_sound_routes(network);
    }
  }
}

TEST(Torus, TheFirstDimensionRunsFastestAndIsCrossedFirst) {
  const Network network = fabric_of(torus("5x4"), 20);
  const Route route = route_of(network, 0, 6);
  EXPECT_EQ(names_of(network, route), (Names{"0->1", "1->6"}));
  EXPECT_EQ(route.latency, 2_us);
  EXPECT_EQ(names_of(network, route_of(network, 0, 19)), (Names{"0->4", "4->19"}));
}

TEST(Torus, HalfwayAroundItGoesUp) {
  EXPECT_EQ(names_of(fabric_of(torus("4"), 4), route_of(fabric_of(torus("4"), 4), 3, 1)),
            (Names{"3->0", "0->1"}));
}

TEST(Torus, EcmpUsesBothOrdersAndBothDirections) {
  const Network network = fabric_of(torus("4x4", ", routing: ecmp"), 16);
  std::set<Names> paths;
  for (std::uint64_t key = 0; key < 200; ++key) {
    const Route route = route_of(network, 0, 10, key);
    ASSERT_EQ(why(flaw_of(network, route, 0, 10)), "no objection");
    paths.insert(names_of(network, route));
  }
  EXPECT_EQ(paths.size(), 8U);
}

TEST(Torus, SplitDividesAtEveryDevice) {
  const Network network = fabric_of(torus("3x3", ", routing: split"), 9);
  const Route route = route_of(network, 0, 4);
  EXPECT_EQ(names_of(network, route), (Names{"0->1", "0->3", "1->4", "3->4"}));
  for (const Hop& hop : route.hops) EXPECT_EQ(hop.share, kWhole / 2);
  EXPECT_EQ(route.latency, 2_us);
}

TEST(Torus, EgressIsDividedOverTheLinksOfADevice) {
  const Network network = fabric_of("kind: torus, shape: 4x4x4, egress: 600 Gbps", 64);
  EXPECT_EQ(network.links[0].bandwidth, 100_Gbps);
}

TEST(Torus, ItsLevelsAreItsDimensions) {
  EXPECT_EQ(fabric_of(torus("4x1x3x2"), 24).levels, (std::vector<int>{4, 3, 2}));
  EXPECT_TRUE(fabric_of(torus("24"), 24).levels.empty());
}

TEST(Torus, ALargeOneIsBuiltAndRouted) {
  const Network network = fabric_of(torus("32x64x64"), 131'072);
  EXPECT_EQ(network.links.size(), 131'072U * 6);
  Random random = random_stream(7);
  for (int sample = 0; sample < 1000; ++sample) {
    const int source = static_cast<int>(random(131'072));
    const int destination = static_cast<int>((source + 1 + random(131'071)) % 131'072);
    ASSERT_EQ(why(flaw_of(network, route_of(network, source, destination), source, destination)),
              "no objection");
  }
}

TEST(Torus, AShapeThatDoesNotFitIsRefused) {
  const std::string sizes = "; positive integers separated by x are needed, such as 8x16";
  for (const std::string shape : {"4x", "x4", "4x0", "4*4", "4x-4", "99999999999"}) {
    EXPECT_EQ(refusal_of(torus(shape), 16),
              fmt::format("test.yaml:1: fabric.shape is {}{}", shape, sizes));
  }
  EXPECT_EQ(refusal_of(torus("2x2x2x2x2"), 32),
            "test.yaml:1: fabric.shape is 2x2x2x2x2; 1 to 4 dimensions are possible");
  for (const std::string shape : {"4x5", "15", "65536x65536x65536x65536"}) {
    EXPECT_EQ(refusal_of(torus(shape), 16),
              "test.yaml:1: fabric.shape is " + shape + "; sizes whose product is 16 are needed");
  }
  EXPECT_EQ(refusal_of("kind: torus, shape: 4x4, egress: 3 bps", 16),
            "test.yaml:1: fabric.egress is 3 bps; a device has 4 links; at least 4 bps is needed");
}

}  // namespace
}  // namespace loom::fabric
