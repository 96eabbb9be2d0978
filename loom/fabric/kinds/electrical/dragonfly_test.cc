#include "loom/fabric/kinds/electrical/dragonfly.h"

#include <algorithm>

#include "loom/base/testing.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

std::string dragonfly(int routers, int gpus, int global, const std::string& more = "") {
  return fmt::format(
      "kind: dragonfly, routers_per_group: {}, gpus_per_router: {}, global_links_per_router: {}, "
      "bandwidth: 100 Gbps, global_bandwidth: 50 Gbps, latency: 1 us, global_latency: 10 us{}",
      routers, gpus, global, more);
}

bool global(const Link& link) { return link.bandwidth == 50_Gbps; }

// Number of links from each group to each other, by router name.
std::map<std::pair<std::string, std::string>, int> between_groups(const Network& network) {
  const auto group = [&](NodeId node) {
    const std::string name = network.node_name(node);
    return name.substr(0, name.find('.'));
  };
  std::map<std::pair<std::string, std::string>, int> count;
  for (const Link& link : network.links) {
    if (global(link)) ++count[{group(link.from), group(link.to)}];
  }
  return count;
}

TEST(Dragonfly, TheLargestOneHasOneLinkBetweenAnyTwoGroups) {
  const Network network = fabric_of(dragonfly(4, 2, 2), 72);
  EXPECT_EQ(network.nodes, 72 + 9 * 4);
  EXPECT_EQ(network.links.size(), 2U * (72 + 9 * 6 + 36));
  EXPECT_EQ(between_groups(network).size(), 72U);
  expect_symmetric(network);
  expect_sound_routes(network);
}

TEST(Dragonfly, AnyNumberOfGroupsIsLinkedAsEvenlyAsPortsAllow) {
  for (int groups = 2; groups <= 13; ++groups) {
    SCOPED_TRACE(groups);
    const Network network = fabric_of(dragonfly(4, 1, 3), 4 * groups);
    const auto count = between_groups(network);
    ASSERT_EQ(count.size(), static_cast<std::size_t>(groups * (groups - 1)));
    int links = 0;
    for (const auto& [pair, number] : count) {
      ASSERT_GE(number, 12 / (groups - 1));
      ASSERT_LE(number, 12 / (groups - 1) + 1);
      links += number;
    }
    // Twelve ports per group; one stays free if both the number of groups and the remainder are
    // odd.
    EXPECT_GE(links, 11 * groups);
    std::vector<int> ports(static_cast<std::size_t>(network.nodes), 0);
    for (const Link& link : network.links) ports[link.from] += global(link) ? 1 : 0;
    EXPECT_LE(*std::max_element(ports.begin(), ports.end()), 3);
    expect_symmetric(network);
    expect_sound_routes(network);
  }
}

TEST(Dragonfly, AMinimalPathCrossesAtMostOneGlobalLink) {
  for (const std::string routing : {"shortest", "ecmp", "split"}) {
    const Network network = fabric_of(dragonfly(3, 2, 2, ", routing: " + routing), 42);
    for (int source = 0; source < 42; ++source) {
      for (int destination = 0; destination < 42; ++destination) {
        if (source == destination) continue;
        const bool near = source / 6 == destination / 6;
        const Route route = route_of(network, source, destination);
        ASSERT_EQ(why(flaw_of(network, route, source, destination)), "no objection");
        ASSERT_LE(route.latency, near ? 3_us : 14_us);
      }
    }
  }
}

TEST(Dragonfly, GlobalLinksEqualLocalOnesUnlessGiven) {
  const Network network = fabric_of(
      "kind: dragonfly, routers_per_group: 2, gpus_per_router: 1, global_links_per_router: 1, "
      "bandwidth: 100 Gbps, latency: 1 us",
      4);
  EXPECT_EQ(network.links.back().bandwidth, 100_Gbps);
  EXPECT_EQ(network.links.back().latency, 1_us);
}

TEST(Dragonfly, ItsLevelsAreRoutersAndGroups) {
  EXPECT_EQ(fabric_of(dragonfly(4, 2, 2), 72).levels, (std::vector<int>{2, 4, 9}));
}

TEST(Dragonfly, OneGroupNeedsNoGlobalLinks) {
  const Network network = fabric_of(dragonfly(4, 2, 0), 8);
  EXPECT_EQ(network.links.size(), 2U * (8 + 6));
  expect_sound_routes(network);
}

TEST(Dragonfly, InvalidParametersAreRefused) {
  EXPECT_EQ(refusal_of(dragonfly(4, 2, 2), 73),
            "test.yaml:1: fabric.global_links_per_router is 2; 73 devices make 10 groups; with 4 "
            "routers each, at least 3 is needed to link each group to every other");
  EXPECT_EQ(refusal_of(dragonfly(1'000'000'000, 1'000'000'000, 1'000'000'000), 73),
            "test.yaml:1: the fabric has 999999999000000146 links; at most 20000000 are possible");
}

}  // namespace
}  // namespace loom::fabric
