#include "loom/cost/bill.h"

#include <gtest/gtest.h>

#include <random>

#include "loom/cost/testing.h"

namespace loom::cost {
namespace {

// Racks of one device: no link is copper.
constexpr fabric::Floor kNoCopper{1, 16};

std::int64_t fibers_of(const fabric::Bill& bill) {
  return count_of(bill, fabric::kFiber) + count_of(bill, fabric::kShortFiber);
}

TEST(Bill, MatchesTheClosedFormOfAFullFatTree) {
  for (const int k : {4, 6, 8, 16}) {
    const int devices = k * k * k / 4;
    const fabric::Bill components = bill(
        "kind: fat_tree, bandwidth: 100 Gbps, radix: " + std::to_string(k), devices, kNoCopper);
    EXPECT_EQ(count_of(components, fabric::kNic), devices);
    EXPECT_EQ(count_of(components, fabric::kSwitchPort), k * 5 * k * k / 4);
    EXPECT_EQ(count_of(components, fabric::kDac), 0);
    EXPECT_EQ(fibers_of(components), 3 * devices);
    EXPECT_EQ(count_of(components, fabric::kTransceiver), 2 * 3 * devices);
  }
}

TEST(Bill, IsTheSameForAFatTreeAndItsLinksUnderAnyRouting) {
  for (const int devices : {1, 5, 16, 17, 54, 100}) {
    for (const std::string routing : {"split", "ecmp"}) {
      const std::string text = "kind: fat_tree, radix: 8, bandwidth: 40 Gbps, routing: " + routing;
      const fabric::FabricSpec spec =
          fabric::read_fabric(parse_yaml("{" + text + "}", "test.yaml"));
      for (const fabric::Floor& floor :
           {kNoCopper, fabric::Floor{2, 4}, fabric::Floor{4, 2}, fabric::Floor{7, 3}}) {
        const fabric::Bill links = components_of(build_network(spec, {devices, 1}), floor);
        for (const std::string_view component :
             {fabric::kNic, fabric::kTransceiver, fabric::kSwitchPort, fabric::kDac,
              fabric::kShortFiber, fabric::kFiber}) {
          EXPECT_EQ(count_of(bill(text, devices, floor), component), count_of(links, component))
              << devices << " devices, " << floor.gpus_per_rack << " per rack, " << component;
        }
      }
    }
  }
}

TEST(Bill, OversubscriptionBuysFewerLinksOfTheSameRate) {
  const fabric::Bill components =
      bill("kind: fat_tree, radix: 8, bandwidth: 100 Gbps, oversubscription: 2", 128, kNoCopper);
  EXPECT_EQ(fibers_of(components), 128 + 64 + 64);
  for (const fabric::BillLine& it : components) EXPECT_EQ(it.rate, 100_Gbps);
}

TEST(Bill, AnIdealSwitchIsBoughtWithTheFewestTiers) {
  const auto ports = [](int devices) {
    return count_of(bill("kind: switch, radix: 8, bandwidth: 100 Gbps", devices),
                    fabric::kSwitchPort);
  };
  EXPECT_EQ(ports(1), 1);
  EXPECT_EQ(ports(8), 8);
  EXPECT_EQ(ports(9), 3 * 9);
  EXPECT_EQ(ports(32), 3 * 32);
  EXPECT_EQ(ports(33), 5 * 33);
  EXPECT_EQ(ports(128), 5 * 128);
  EXPECT_EQ(message([&] { ports(129); }),
            "test.yaml:1: fabric.radix is 8; it holds 128 devices; room for 129 is needed");
  EXPECT_EQ(bill("kind: switch, radix: 8, bandwidth: 100 Gbps", 128),
            bill("kind: fat_tree, radix: 8, bandwidth: 100 Gbps", 128));
}

TEST(Bill, EightDevicesOfARackAreEightPortsAndCopper) {
  const fabric::Bill expected = {
      {"nic", 400_Gbps, 8}, {"switch_port", 400_Gbps, 8}, {"dac", 400_Gbps, 8}};
  EXPECT_EQ(bill("kind: switch, bandwidth: 400 Gbps", 8), expected);
}

TEST(Bill, ALinkIsCopperInItsRackAndAShortFiberInItsRow) {
  // Two racks of four in a row, two rows: every device reaches its own switch of four.
  const std::string text = "kind: leaf_spine, gpus_per_leaf: 4, spines: 2, bandwidth: 100 Gbps";
  const fabric::Bill in_racks = bill(text, 16, {4, 2});
  EXPECT_EQ(count_of(in_racks, fabric::kDac), 16);
  EXPECT_EQ(count_of(in_racks, fabric::kShortFiber), 0);
  EXPECT_EQ(count_of(in_racks, fabric::kFiber), 4 * 2);  // two spines, 200 Gbps per link
  EXPECT_EQ(count_of(in_racks, fabric::kTransceiver), 2 * 4 * 2);
  const fabric::Bill in_rows = bill(text, 16, {2, 2});
  EXPECT_EQ(count_of(in_rows, fabric::kDac), 0);
  EXPECT_EQ(count_of(in_rows, fabric::kShortFiber), 16);
  const fabric::Bill in_one_row = bill(text, 16, {4, 16});
  EXPECT_EQ(count_of(in_one_row, fabric::kShortFiber), 4 * 2);
  EXPECT_EQ(count_of(in_one_row, fabric::kFiber), 0);
}

TEST(Bill, ARackHoldsWholeServers) {
  const std::string text =
      "kind: cluster, gpus_per_server: 72, inside_bandwidth: 900 GB/s, bandwidth: 400 Gbps, "
      "radix: 144";
  EXPECT_EQ(count_of(bill(text, 72), fabric::kDac), 72);
  EXPECT_EQ(count_of(bill(text, 144), fabric::kShortFiber), 144);
  EXPECT_EQ(bill("kind: nvl72, bandwidth: 400 Gbps, radix: 144", 144), bill(text, 144));
}

TEST(Bill, PortsInsideServersAreCountedSeparately) {
  const std::string inside = ", gpus_per_server: 8, inside_bandwidth: 2400 Gbps";
  const fabric::Bill cluster = bill("kind: cluster, bandwidth: 100 Gbps" + inside, 128);
  EXPECT_EQ(count_of(cluster, fabric::kServerPort), 128);
  EXPECT_EQ(count_of(cluster, fabric::kNic), 128);
  const fabric::Bill rail = bill("kind: rail, bandwidth: 100 Gbps" + inside, 128);
  EXPECT_EQ(count_of(rail, fabric::kServerPort), 128);
  EXPECT_EQ(count_of(rail, fabric::kNic), 128);
  EXPECT_EQ(count_of(rail, fabric::kSwitchPort), 128);  // eight switches, 16 ports in use on each
  EXPECT_EQ(count_of(rail, fabric::kShortFiber), 128);
  EXPECT_EQ(count_of(bill("kind: rail, bandwidth: 1 Gbps" + inside, 13), fabric::kNic), 13);
}

TEST(Bill, PatchPanelsNeedOneOfEachComponentPerPort) {
  const std::string text =
      "kind: sip_ocs, switches: 4, bandwidth: 400 Gbps, interface: nic, plane: patch_panel";
  const fabric::Bill expected = {{"nic", 100_Gbps, 512},
                                 {"transceiver", 100_Gbps, 512},
                                 {"patch_panel_port", 100_Gbps, 512},
                                 {"fiber", 100_Gbps, 512}};
  EXPECT_EQ(bill(text, 128), expected);
}

TEST(Bill, DirectLinksNeedNoSwitch) {
  const fabric::Bill torus = bill("kind: torus, shape: 4x4, bandwidth: 100 Gbps", 16);
  EXPECT_EQ(count_of(torus, fabric::kNic), 16 * 4);
  EXPECT_EQ(count_of(torus, fabric::kSwitchPort), 0);
  EXPECT_EQ(count_of(torus, fabric::kDac), 16 * 4 / 2);
  EXPECT_EQ(count_of(bill("kind: full_mesh, bandwidth: 1 Gbps", 10), fabric::kDac), 45);
  EXPECT_EQ(
      count_of(bill("kind: full_mesh, bandwidth: 1 Gbps", 10, kNoCopper), fabric::kShortFiber), 45);
}

TEST(Bill, AnOutgoingAndAnIncomingOneWayLinkShareAPort) {
  fabric::Network network;
  network.devices = network.nodes = 3;
  for (int i = 0; i < 3; ++i)
    add_link(network, {NodeId(i), NodeId((i + 1) % 3), 10_Gbps, Duration(0), 2});
  const fabric::Bill components = components_of(network, {});
  EXPECT_EQ(count_of(components, fabric::kNic), 6);
  EXPECT_EQ(count_of(components, fabric::kDac), 3);
  EXPECT_EQ(components.front().rate, Bandwidth{5'000'000'000});
}

TEST(Bill, ARingCountsWavelengthsAndSegments) {
  const fabric::Bill components = bill("kind: sip_ring, bandwidth: 2 Tbps, fibers: 4", 16);
  const fabric::Bill expected = {{"sip_interface", 25_Gbps, 16L * 80}, {"fiber", 25_Gbps, 16L * 4}};
  EXPECT_EQ(components, expected);
}

TEST(Bill, RingsWithoutResonatorsCountTheirWavelengthSelectors) {
  const fabric::Bill quartz = bill("kind: quartz, bandwidth: 70 Gbps", 8);
  EXPECT_EQ(count_of(quartz, fabric::kMuxPort), 8 * 7);
  const fabric::Bill mordia = bill("kind: mordia, bandwidth: 50 Gbps", 16);
  EXPECT_EQ(count_of(mordia, fabric::kWssPort), 32);
  const fabric::Bill mega = bill("kind: megaswitch, bandwidth: 50 Gbps", 16);
  EXPECT_EQ(count_of(mega, fabric::kWssPort), 16 * 15);
  EXPECT_EQ(count_of(mega, fabric::kDwdmTransceiver), 32);
}

// One sample of every kind whose shape does not fix the number of devices.
std::vector<std::string> growing() {
  const std::string servers = "gpus_per_server: 4, inside_bandwidth: 900 Gbps";
  return {"kind: switch", "kind: fat_tree", "kind: fat_tree, oversubscription: 3",
          "kind: cluster, " + servers, "kind: rail, " + servers,
          "kind: leaf_spine, gpus_per_leaf: 4, spines: 2", "kind: full_mesh",
          "kind: sip_ocs, switches: 4",
          "kind: sip_ocs, switches: 3, interface: nic, plane: patch_panel",
          "kind: sip_ring, fibers: 1", "kind: mordia, fibers: 60", "kind: megaswitch",
          "kind: quartz, fibers: 20", "kind: random_regular, degree: 4",
          // Parentheses: one string over two lines.
          ("kind: dragonfly, routers_per_group: 4, gpus_per_router: 2, "
           "global_links_per_router: 4")};
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
        // cheaper channels. Graphs whose links depend on the number of devices may have more of
        // them inside racks if there are more.
        const auto is = [&](const char* name) { return kind.starts_with(name); };
        if (is("kind: quartz") || is("kind: dragonfly") || is("kind: random_regular")) continue;
        EXPECT_LE(at(devices, mbps, table), at(more_devices, mbps, table))
            << kind << " with " << devices << " and " << more_devices;
      }
    }
  }
}

}  // namespace
}  // namespace loom::cost
