#include "loom/cost/bill.h"

#include <gtest/gtest.h>

#include <random>

#include "loom/cost/testing.h"

namespace loom {
namespace {

TEST(Bill, MatchesTheClosedFormOfAFullFatTree) {
  for (const int k : {2, 4, 6, 8, 16}) {
    const int devices = k * k * k / 4;
    const Bill components = bill("kind: fat_tree, bandwidth: 100 Gbps", devices);
    EXPECT_EQ(count_of(components, kNic), devices);
    EXPECT_EQ(count_of(components, kSwitchPort), k * 5 * k * k / 4);
    EXPECT_EQ(count_of(components, kFiber), 3 * devices);
    EXPECT_EQ(count_of(components, kTransceiver), 2 * 3 * devices);
  }
}

TEST(Bill, IsTheSameForAFatTreeAndItsLinksUnderAnyRouting) {
  for (const int devices : {1, 5, 16, 17, 54, 100}) {
    for (const std::string routing : {"split", "ecmp"}) {
      const std::string text = "kind: fat_tree, bandwidth: 40 Gbps, routing: " + routing;
      const FabricSpec spec = read_fabric(parse_yaml("{" + text + "}", "test.yaml"));
      const Bill links = components_of(build_network(spec, {devices, 1}));
      for (const std::string_view component : {kNic, kTransceiver, kSwitchPort, kFiber}) {
        EXPECT_EQ(count_of(bill(text, devices), component), count_of(links, component)) << devices;
      }
    }
  }
}

TEST(Bill, OversubscriptionBuysFewerLinksOfTheSameRate) {
  const Bill components = bill("kind: fat_tree, bandwidth: 100 Gbps, oversubscription: 2", 128);
  EXPECT_EQ(count_of(components, kFiber), 128 + 64 + 64);
  for (const BillLine& it : components) EXPECT_EQ(it.rate, 100_Gbps);
}

TEST(Bill, AnIdealSwitchIsBoughtAsAFullBisectionFatTree) {
  EXPECT_EQ(bill("kind: switch, bandwidth: 100 Gbps", 100),
            bill("kind: fat_tree, bandwidth: 100 Gbps", 100));
}

TEST(Bill, PortsInsideServersAreCountedSeparately) {
  const std::string inside = ", gpus_per_server: 8, inside_bandwidth: 2400 Gbps";
  const Bill cluster = bill("kind: cluster, bandwidth: 100 Gbps" + inside, 128);
  EXPECT_EQ(count_of(cluster, kServerPort), 128);
  EXPECT_EQ(count_of(cluster, kNic), 128);
  const Bill rail = bill("kind: rail, bandwidth: 100 Gbps" + inside, 128);
  EXPECT_EQ(count_of(rail, kServerPort), 128);
  EXPECT_EQ(count_of(rail, kNic), 128);
  EXPECT_EQ(count_of(rail, kFiber), 8 * 3 * 16);  // eight fat-trees of four-port switches
  EXPECT_EQ(count_of(bill("kind: rail, bandwidth: 1 Gbps" + inside, 13), kNic), 13);
}

TEST(Bill, PatchPanelsNeedOneOfEachComponentPerPort) {
  const std::string text =
      "kind: sip_ocs, switches: 4, bandwidth: 400 Gbps, interface: nic, plane: patch_panel";
  const Bill expected = {{"nic", 100_Gbps, 512},
                         {"transceiver", 100_Gbps, 512},
                         {"patch_panel_port", 100_Gbps, 512},
                         {"fiber", 100_Gbps, 512}};
  EXPECT_EQ(bill(text, 128), expected);
}

TEST(Bill, DirectLinksNeedNoSwitch) {
  const Bill torus = bill("kind: torus, shape: 4x4, bandwidth: 100 Gbps", 16);
  EXPECT_EQ(count_of(torus, kNic), 16 * 4);
  EXPECT_EQ(count_of(torus, kSwitchPort), 0);
  EXPECT_EQ(count_of(torus, kFiber), 16 * 4 / 2);
  EXPECT_EQ(count_of(bill("kind: full_mesh, bandwidth: 1 Gbps", 10), kFiber), 45);
}

TEST(Bill, AnOutgoingAndAnIncomingOneWayLinkShareAPort) {
  Network network;
  network.devices = network.nodes = 3;
  for (int i = 0; i < 3; ++i) add_link(network, {i, (i + 1) % 3, 10_Gbps, Duration(0), 2});
  const Bill components = components_of(network);
  EXPECT_EQ(count_of(components, kNic), 6);
  EXPECT_EQ(count_of(components, kFiber), 3);
  EXPECT_EQ(components.front().rate, Bandwidth{5'000'000'000});
}

TEST(Bill, ARingCountsWavelengthsAndSegments) {
  const Bill components = bill("kind: sip_ring, bandwidth: 2 Tbps, fibers: 4", 16);
  const Bill expected = {{"sip_interface", 25_Gbps, 16 * 80}, {"fiber", 25_Gbps, 16 * 4}};
  EXPECT_EQ(components, expected);
}

TEST(Bill, RingsWithoutResonatorsCountTheirWavelengthSelectors) {
  const Bill quartz = bill("kind: quartz, bandwidth: 70 Gbps", 8);
  EXPECT_EQ(count_of(quartz, kMuxPort), 8 * 7);
  const Bill mordia = bill("kind: mordia, bandwidth: 50 Gbps", 16);
  EXPECT_EQ(count_of(mordia, kWssPort), 32);
  const Bill mega = bill("kind: megaswitch, bandwidth: 50 Gbps", 16);
  EXPECT_EQ(count_of(mega, kWssPort), 16 * 15);
  EXPECT_EQ(count_of(mega, kDwdmTransceiver), 32);
}

// One sample of every kind whose shape does not fix the number of devices.
std::vector<std::string> growing() {
  const std::string servers = "gpus_per_server: 4, inside_bandwidth: 900 Gbps";
  return {"kind: switch",
          "kind: fat_tree",
          "kind: fat_tree, oversubscription: 3",
          "kind: cluster, " + servers,
          "kind: rail, " + servers,
          "kind: leaf_spine, gpus_per_leaf: 4, spines: 2",
          "kind: full_mesh",
          "kind: sip_ocs, switches: 4",
          "kind: sip_ocs, switches: 3, interface: nic, plane: patch_panel",
          "kind: sip_ring, fibers: 1",
          "kind: mordia, fibers: 60",
          "kind: megaswitch",
          "kind: quartz, fibers: 20",
          "kind: random_regular, degree: 4",
          "kind: dragonfly, routers_per_group: 4, gpus_per_router: 2, "
          "global_links_per_router: 4"};
}

TEST(Cost, DoesNotFallWithBandwidthOrDevices) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  PriceTable lanes = built_in_prices();
  lanes.between = BetweenRates::lanes;
  const auto some = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (const std::string& kind : growing()) {
    for (int i = 0; i < 20; ++i) {
      const int devices = some(6, 60);
      const int more_devices = devices + some(0, 20);
      const int mbps = some(200'000, 900'000);
      const int more_mbps = mbps + some(0, 300'000);
      const auto at = [&](int n, int rate, const PriceTable& table) {
        return price(kind + ", bandwidth: " + std::to_string(rate) + " Mbps", n, table);
      };
      for (const PriceTable& table : {built_in_prices(), lanes}) {
        EXPECT_LE(at(devices, mbps, table), at(devices, more_mbps, table))
            << kind << " with " << devices << " at " << mbps << " and " << more_mbps;
        // Quartz divides a device's bandwidth into one channel per peer, so more devices mean
        // cheaper channels.
        if (kind.starts_with("kind: quartz")) continue;
        EXPECT_LE(at(devices, mbps, table), at(more_devices, mbps, table))
            << kind << " with " << devices << " and " << more_devices;
      }
    }
  }
}

}  // namespace
}  // namespace loom
