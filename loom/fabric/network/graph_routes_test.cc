#include "loom/fabric/network/graph_routes.h"

#include <algorithm>
#include <thread>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/network/graph.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

using Names = std::vector<std::string>;

struct Line {
  int from;
  int to;
  Duration latency{0};
  int members = 1;
};

// A network with these one-way links.
Network network_of(int devices, int switches, const std::vector<Line>& lines) {
  Network network;
  network.devices = network.nodes = devices;
  for (int number = 0; number < switches; ++number) add_switch(network, fmt::format("s{}", number));
  for (const Line& line : lines) {
    add_link(network, {NodeId(line.from), NodeId(line.to), 1_Gbps, line.latency, line.members});
  }
  return network;
}

Route find(const Network& network, Routing routing, bool forward = true, std::uint64_t key = 0,
           const std::vector<bool>& down = {}) {
  Route route;
  const DeviceId last(network.devices - 1);
  EXPECT_TRUE(
      graph_router(network, routing, 1, forward)->find(DeviceId(0), last, key, down, route));
  EXPECT_EQ(why(flaw_of(network, route, 0, last)), "no objection");
  return route;
}

std::vector<std::uint32_t> shares(const Route& route) {
  std::vector<std::uint32_t> out;
  for (const Hop& hop : route.hops) out.push_back(hop.share);
  return out;
}

// Bellman-Ford: relaxes every link as many times as there are nodes.
std::vector<int> slow_lengths(const Graph& graph, int destination) {
  std::vector<int> length(static_cast<std::size_t>(graph.nodes()), kUnreached);
  length[destination] = 0;
  for (int round = 0; round < graph.nodes(); ++round) {
    for (const Graph::Edge& link : graph.links) {
      const bool through = link.to == destination || graph.forwards(link.to);
      if (through && length[link.to] != kUnreached) {
        length[link.from] = std::min(length[link.from], length[link.to] + link.length);
      }
    }
  }
  return length;
}

TEST(Graph, DistancesAgreeWithASlowSearch) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random = random_stream(seed);
    std::vector<Line> lines;
    std::vector<int> lengths;
    for (std::uint32_t count = 10 + random(20); count > 0; --count) {
      lines.push_back({static_cast<int>(random(12)), static_cast<int>(random(12))});
      lengths.push_back(1 + static_cast<int>(random(kLongestLink)));
    }
    const Graph graph = graph_of(network_of(5, 7, lines), seed % 2 == 0, lengths);
    for (int destination = 0; destination < 5; ++destination) {
      const std::vector<int> slow = slow_lengths(graph, destination);
      const Distances quick = distances_to(graph, NodeId(destination), {});
      EXPECT_EQ(quick.length, std::vector<int>(slow.begin() + quick.first, slow.end()))
          << "seed " << seed;
    }
  }
}

TEST(GraphRoutes, ShortestPrefersFewerLinksThenLessLatencyThenLowerNumbers) {
  const Network fewer = network_of(2, 1, {{0, 2}, {2, 1}, {0, 1, 9_us}});
  EXPECT_EQ(names_of(fewer, find(fewer, Routing::shortest)), (Names{"0->1"}));
  const Network quicker =
      network_of(2, 2, {{0, 2, 1_us}, {0, 3, 2_us}, {2, 1, 5_us}, {3, 1, 1_us}});
  EXPECT_EQ(names_of(quicker, find(quicker, Routing::shortest)), (Names{"0->s1", "s1->1"}));
  const Network lower = network_of(2, 2, {{0, 3}, {0, 2}, {2, 1}, {3, 1}});
  EXPECT_EQ(names_of(lower, find(lower, Routing::shortest)), (Names{"0->s1", "s1->1"}));
}

TEST(GraphRoutes, SplitDividesEvenlyAtEveryNode) {
  // 0 leads to three switches; each leads to a fourth, one of them over a slow link.
  const Network network = network_of(
      2, 4, {{0, 2}, {0, 3}, {0, 4}, {2, 5}, {3, 5}, {4, 5, 7_us}, {5, 1, 1_us}, {5, 1, 2_us}});
  const Route route = find(network, Routing::split);
  const std::uint32_t third = kWhole / 3;
  EXPECT_EQ(shares(route), (std::vector<std::uint32_t>{third, third, third, third, third, third,
                                                       kWhole / 2, kWhole / 2}));
  EXPECT_EQ(route.latency, 9_us);
}

TEST(GraphRoutes, TheRemainderGoesToTheFirstLinks) {
  std::vector<Line> lines;
  for (int path = 0; path < 11; ++path) lines.push_back({0, 1});
  const Route route = find(network_of(2, 0, lines), Routing::split);
  const std::uint32_t rest = kWhole % 11;
  ASSERT_GT(rest, 0U);
  for (std::uint32_t path = 0; path < 11; ++path) {
    EXPECT_EQ(route.hops[path].share, kWhole / 11 + (path < rest ? 1 : 0));
  }
}

TEST(GraphRoutes, ATrunkCountsAsItsMembers) {
  const Network network = network_of(2, 2, {{0, 2}, {0, 3, 0_ns, 3}, {2, 1}, {3, 1}});
  EXPECT_EQ(shares(find(network, Routing::split)),
            (std::vector<std::uint32_t>{kWhole / 4, kWhole / 4 * 3, kWhole / 4, kWhole / 4 * 3}));
  int over_trunk = 0;
  for (std::uint64_t key = 0; key < 1000; ++key) {
    over_trunk += find(network, Routing::ecmp, true, key).hops[0].link == 1 ? 1 : 0;
  }
  EXPECT_NEAR(over_trunk, 750, 50);
}

TEST(GraphRoutes, DevicesForwardOnlyIfAllowed) {
  const Network network = network_of(3, 2, {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {4, 2}});
  for (const Routing routing : {Routing::shortest, Routing::ecmp, Routing::split}) {
    EXPECT_EQ(names_of(network, find(network, routing)), (Names{"0->1", "1->2"}));
    EXPECT_EQ(names_of(network, find(network, routing, false)),
              (Names{"0->s0", "s0->s1", "s1->2"}));
  }
}

TEST(GraphRoutes, DownLinksAreAvoidedAndOtherRoutesStayTheSame) {
  const Network network = network_of(2, 3, {{0, 2}, {0, 3}, {0, 4}, {2, 1}, {3, 1}, {4, 1}});
  for (const Routing routing : {Routing::shortest, Routing::ecmp, Routing::split}) {
    EXPECT_EQ(
        find(network, routing, true, 0, {true, false, true, false, false, false}).hops[0].link, 1);
    Route route;
    EXPECT_FALSE(
        graph_router(network, routing, 1, true)
            ->find(DeviceId(0), DeviceId(1), 0, {false, false, false, true, true, true}, route));
  }
  for (std::uint64_t key = 0; key < 100; ++key) {
    const Route whole = find(network, Routing::ecmp, true, key);
    if (whole.hops[0].link == 2) continue;
    const Route damaged =
        find(network, Routing::ecmp, true, key, {false, false, true, false, false, false});
    EXPECT_EQ(names_of(network, damaged), names_of(network, whole));
  }
}

TEST(GraphRoutes, AnUnreachableDeviceHasNoRoute) {
  const Network network = network_of(3, 0, {{0, 1}, {2, 1}});
  Route route;
  EXPECT_FALSE(graph_router(network, Routing::shortest, 1, true)
                   ->find(DeviceId(0), DeviceId(2), 0, {}, route));
}

TEST(GraphRoutes, LatenciesBeyondTheClockReachALimitInsteadOfOverflowing) {
  std::vector<Line> lines;
  for (int hop = 0; hop < 12; ++hop) lines.push_back({hop, hop + 1, kLongestDuration});
  const Network network = network_of(13, 0, lines);
  for (const Routing routing : {Routing::shortest, Routing::ecmp, Routing::split}) {
    Route route;
    EXPECT_THROW(
        graph_router(network, routing, 1, true)->find(DeviceId(0), DeviceId(12), 0, {}, route),
        LimitError);
  }
}

TEST(GraphRoutes, ManyThreadsGetTheSameAnswers) {
  const Network network = fabric_of(
      "kind: random_regular, degree: 4, gpus_per_switch: 0, bandwidth: 1 Gbps, routing: ecmp", 200);
  std::vector<bool> down(network.links.size());
  for (std::size_t link = 0; link < down.size(); link += 9) down[link] = true;
  const auto ask_all = [&](std::vector<Names>& answers) {
    for (int pair = 0; pair < 2000; ++pair) {
      const int destination = pair * 7 % 200;
      const int source = (destination + 1 + pair % 199) % 200;
      const std::vector<bool>& set = pair % 3 == 0 ? down : std::vector<bool>();
      answers.push_back(names_of(network, route_of(network, source, destination, 5, set)));
    }
  };
  std::vector<std::vector<Names>> answers(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : answers) threads.emplace_back([&] { ask_all(mine); });
  }
  for (const auto& other : answers) EXPECT_EQ(other, answers[0]);
}

TEST(GraphRoutes, RoutesOverAllPathsAreTheSameWheneverAndByWhomeverTheyAreAsked) {
  const Network network = fabric_of(
      "kind: random_regular, degree: 4, gpus_per_switch: 0, bandwidth: 1 Gbps, routing: split", 60);
  const auto ask_all = [](const Router& router, std::vector<Route>& routes) {
    for (int pair = 0; pair < 60 * 59; ++pair) {
      const int source = pair % 60;
      const int destination = (source + 1 + pair / 60) % 60;
      EXPECT_TRUE(
          router.find(DeviceId(source), DeviceId(destination), 0, {}, routes.emplace_back()));
    }
  };
  const auto router = graph_router(network, Routing::split, 1, true);
  std::vector<std::vector<Route>> answers(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : answers) threads.emplace_back([&] { ask_all(*router, mine); });
  }
  for (std::vector<Route>& other : answers) {
    ask_all(*graph_router(network, Routing::split, 1, true), other);  // found for the first time
    for (std::size_t pair = 0; pair < other.size(); ++pair) {
      const Route& first = answers[0][pair % (other.size() / 2)];
      EXPECT_EQ(other[pair].latency, first.latency);
      EXPECT_TRUE(std::equal(
          other[pair].hops.begin(), other[pair].hops.end(), first.hops.begin(), first.hops.end(),
          [](const Hop& a, const Hop& b) { return a.link == b.link && a.share == b.share; }));
    }
  }
}

}  // namespace
}  // namespace loom::fabric
