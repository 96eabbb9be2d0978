#include "loom/fabric/kinds/electrical/random_regular.h"

#include <numeric>
#include <set>

#include "loom/fabric/network/random_graph.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

std::string fabric(int degree, int gpus, const std::string& more = "") {
  return fmt::format(
      "kind: random_regular, degree: {}, gpus_per_switch: {}, bandwidth: 100 Gbps, latency: 1 us{}",
      degree, gpus, more);
}

TEST(RandomGraph, IsSimpleRegularAndConnected) {
  for (int vertices = 2; vertices <= 14; ++vertices) {
    for (int degree = vertices == 2 ? 1 : 2; degree < vertices; ++degree) {
      for (std::uint64_t seed = 0; vertices * degree % 2 == 0 && seed < 20; ++seed) {
        SCOPED_TRACE(fmt::format("vertices {} degree {} seed {}", vertices, degree, seed));
        std::vector<int> edges(static_cast<std::size_t>(vertices), 0);
        std::vector<int> component(static_cast<std::size_t>(vertices));
        std::iota(component.begin(), component.end(), 0);
        std::set<std::pair<int, int>> seen;
        for (const auto& [a, b] : random_regular_graph(vertices, degree, seed)) {
          ASSERT_NE(a, b);
          ASSERT_TRUE(seen.insert(std::minmax(a, b)).second);
          ++edges[a];
          ++edges[b];
          const int old = component[a];
          for (int& it : component) it = it == old ? component[b] : it;
        }
        ASSERT_EQ(std::set<int>(edges.begin(), edges.end()), std::set<int>{degree});
        ASSERT_EQ(std::set<int>(component.begin(), component.end()).size(), 1U);
      }
    }
  }
}

TEST(RandomGraph, DependsOnlyOnTheSeed) {
  EXPECT_EQ(random_regular_graph(50, 4, 3), random_regular_graph(50, 4, 3));
  EXPECT_NE(random_regular_graph(50, 4, 3), random_regular_graph(50, 4, 4));
}

TEST(RandomGraph, IsTheSameOnEveryMachine) {
  const std::vector<std::pair<int, int>> expected = {{2, 1}, {5, 0}, {3, 4}, {3, 0}, {0, 2},
                                                     {4, 5}, {3, 1}, {5, 2}, {1, 4}};
  EXPECT_EQ(random_regular_graph(6, 3, 1), expected);
}

TEST(RandomGraph, EveryEdgeIsAsLikelyAsAnyOther) {
  std::map<std::pair<int, int>, int> count;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    for (const auto& [a, b] : random_regular_graph(8, 3, seed)) ++count[std::minmax(a, b)];
  }
  ASSERT_EQ(count.size(), 28U);
  for (const auto& [edge, times] : count) EXPECT_NEAR(times, 2000 * 3.0 / 7, 130);
}

TEST(RandomRegular, DevicesAreAttachedToSwitchesOfThatDegree) {
  const Network network = fabric_of(fabric(3, 2), 19);
  EXPECT_EQ(network.nodes, 19 + 10);
  EXPECT_EQ(network.links.size(), 2U * (19 + 15));
  EXPECT_EQ(fabric_of(fabric(3, 2), 20).levels, (std::vector<int>{2, 10}));
  expect_symmetric(network);
  expect_sound_routes(network);
}

TEST(RandomRegular, WithoutSwitchesTheDevicesForward) {
  for (const std::string routing : {"shortest", "ecmp", "split"}) {
    const Network network = fabric_of(fabric(3, 0, ", routing: " + routing), 20);
    EXPECT_EQ(network.nodes, 20);
    EXPECT_EQ(network.links.size(), 60U);
    expect_symmetric(network);
    expect_sound_routes(network);
  }
}

TEST(RandomRegular, InvalidParametersAreRefused) {
  EXPECT_EQ(refusal_of(fabric(4, 1), 4),
            "test.yaml:1: fabric.degree is 4; less than 4, the number of vertices, is needed");
  EXPECT_EQ(refusal_of(fabric(3, 1), 5),
            "test.yaml:1: fabric.degree is 3; an even number is needed for 5 vertices");
  EXPECT_EQ(refusal_of(fabric(1, 1), 4),
            "test.yaml:1: fabric.degree is 1; at least 2 is needed to connect 4 vertices");
  EXPECT_EQ(refusal_of(fabric(90'000, 1), 100'000),
            "test.yaml:1: the fabric has 9000000000 links; at most 20000000 are possible");
}

}  // namespace
}  // namespace loom::fabric
