#include "loom/fabric/network/subnetwork.h"

#include <algorithm>
#include <numeric>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

std::vector<int> random_devices(int of, std::size_t count, Random& random) {
  std::vector<int> all(static_cast<std::size_t>(of));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = all.size(); i > 1; --i) {
    std::swap(all[i - 1], all[random(static_cast<std::uint32_t>(i))]);
  }
  all.resize(count);
  return all;
}

TEST(Subnetwork, HasTheRoutesOfTheFullNetwork) {
  const std::vector<std::string> fabrics = {
      "kind: switch, bandwidth: 10 Gbps, latency: 1 us",
      "kind: cluster, gpus_per_server: 4, inside_bandwidth: 90 Gbps, bandwidth: 10 Gbps",
      "kind: fat_tree, bandwidth: 10 Gbps, routing: ecmp, latency: 1 us",
      "kind: leaf_spine, gpus_per_leaf: 4, spines: 3, bandwidth: 10 Gbps",
      "kind: torus, shape: 4x4, bandwidth: 10 Gbps, latency: 1 us"};
  for (const std::string& text : fabrics) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", text, seed));
      Random random = random_stream(seed);
      const Network whole = fabric_of(text, 16);
      const std::vector<int> devices = random_devices(16, 2 + random(14), random);
      const Network subnetwork = subnetwork_of(whole, devices);
      EXPECT_EQ(subnetwork.devices, static_cast<int>(devices.size()));
      EXPECT_EQ(subnetwork.nodes, whole.nodes);
      EXPECT_EQ(subnetwork.router->hashes(), whole.router->hashes());
      for (int a = 0; a < subnetwork.devices; ++a) {
        for (int b = 0; b < subnetwork.devices; ++b) {
          if (a == b) continue;
          const Route route = route_of(subnetwork, a, b, seed);
          const Route same = route_of(whole, devices[a], devices[b], seed);
          ASSERT_EQ(why(flaw_of(subnetwork, route, a, b)), "no objection");
          ASSERT_EQ(route.latency, same.latency);
          ASSERT_EQ(route.hops.size(), same.hops.size());
          for (std::size_t h = 0; h < same.hops.size(); ++h) {
            ASSERT_EQ(route.hops[h].link, same.hops[h].link);
          }
        }
      }
    }
  }
}

TEST(Subnetwork, HasTheLevelsThatItFillsEvenly) {
  const Network whole = fabric_of(
      "kind: cluster, gpus_per_server: 8, inside_bandwidth: 90 Gbps, bandwidth: 10 Gbps", 32);
  const auto levels = [&](const std::vector<int>& devices) {
    return subnetwork_of(whole, devices).levels;
  };
  EXPECT_EQ(levels({0, 1, 2, 3, 8, 9, 10, 11}), (std::vector<int>{4, 2}));
  EXPECT_EQ(levels({6, 7, 8, 9}), (std::vector<int>{2, 2}));
  EXPECT_EQ(levels({7, 8, 9}), std::vector<int>());       // one in a server, two in the next
  EXPECT_EQ(levels({0, 8, 1, 9}), std::vector<int>());    // returns to a server
  EXPECT_EQ(levels({0, 8, 16, 24}), std::vector<int>());  // one per server
  EXPECT_EQ(levels({0, 1, 2, 3}), std::vector<int>());    // all in one server
}

TEST(Subnetwork, KeepsItsPortsOnCircuitSwitches) {
  CircuitFabric fabric;
  OcsLimits limits;
  limits.devices = 5;
  limits.switches = 2;
  limits.ports = 4;
  limits.wiring = {{0, 1, 3}, {2, 3, 4}};
  fabric.limits = limits;
  const std::vector<int> devices = {4, 3, 0};
  const CircuitFabric subnetwork = subnetwork_of(fabric, devices);
  const auto& subnetwork_limits = std::get<OcsLimits>(subnetwork.limits);
  EXPECT_EQ(subnetwork_limits.devices, 3);
  EXPECT_EQ(subnetwork_limits.wiring, (std::vector<std::vector<int>>{{1, 2}, {0, 1}}));
  EXPECT_TRUE(has_subnetworks(fabric));
  fabric.limits = RingLimits{};
  EXPECT_FALSE(has_subnetworks(fabric));
}

TEST(Subnetwork, NetworksSideBySideKeepTheirRoutesAndShareNothing) {
  const auto torus =
      std::make_shared<Network>(fabric_of("kind: torus, shape: 4, bandwidth: "
                                          "10 Gbps, latency: 1 us",
                                          4));
  const auto crossbar =
      std::make_shared<Network>(fabric_of("kind: switch, bandwidth: 1 Gbps, latency: 2 us", 3));
  const std::vector<Subnetwork> subnetworks = {{torus, {6, 0, 3, 5}}, {crossbar, {1, 7, 2}}};
  const Network whole = side_by_side(subnetworks, 9);
  EXPECT_EQ(whole.devices, 9);
  EXPECT_EQ(whole.links.size(), torus->links.size() + crossbar->links.size());
  for (const Subnetwork& subnetwork : subnetworks) {
    for (int a = 0; a < subnetwork.network->devices; ++a) {
      for (int b = 0; b < subnetwork.network->devices; ++b) {
        if (a == b) continue;
        const Route route = route_of(whole, subnetwork.devices[a], subnetwork.devices[b]);
        EXPECT_EQ(why(flaw_of(whole, route, subnetwork.devices[a], subnetwork.devices[b])),
                  "no objection");
        EXPECT_EQ(route.latency, route_of(*subnetwork.network, a, b).latency);
      }
    }
  }
  Route none;
  EXPECT_FALSE(whole.router->find(DeviceId(6), DeviceId(1), 0, {}, none));
  EXPECT_FALSE(whole.router->find(DeviceId(6), DeviceId(4), 0, {}, none));
  // A down link affects only its own subnetwork.
  std::vector<bool> down(whole.links.size(), false);
  const Route before = route_of(whole, 1, 2);
  down[static_cast<std::size_t>(before.hops.front().link)] = true;
  EXPECT_FALSE(whole.router->find(DeviceId(1), DeviceId(2), 0, down, none));
  EXPECT_EQ(names_of(whole, route_of(whole, 6, 0, 0, down)), (std::vector<std::string>{"6->0"}));
}

}  // namespace
}  // namespace loom::fabric
