#include "loom/scenario/equal_cost_bandwidth.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/scenario/fabric_costs.h"

namespace loom::scenario {
namespace {

std::vector<FabricCost> costs_of(const std::string& text) {
  return fabric_costs(parse_yaml(text, "s.yaml"), {});
}

std::string refusal(const std::string& text) {
  return message([&] { costs_of(text); });
}

const std::string kPanel =
    "gpus: 16\nfabrics:\n"
    "  - {name: panel, kind: sip_ocs, switches: 4, interface: nic, plane: patch_panel, bandwidth: "
    "400 Gbps}\n";

TEST(BoughtBandwidth, IsTheHighestThatCostsNoMoreThanTheOtherFabric) {
  const auto costs = costs_of(kPanel + "  - {kind: fat_tree, bandwidth: {same_cost_as: panel}}\n");
  ASSERT_EQ(costs.size(), 2U);
  const Bandwidth found = costs[1].fabric.settings.bandwidth("bandwidth");
  EXPECT_LE(costs[1].cost.price, costs[0].cost.price);
  EXPECT_EQ(costs[1].axes.back().first, "fabric.bandwidth");
  EXPECT_EQ(costs[1].axes.back().second, exact(found));
  const auto more = costs_of(kPanel + "  - {kind: fat_tree, bandwidth: " +
                             exact(Bandwidth{found.bits_per_second + 1'000'000}) + "}\n");
  EXPECT_GT(more[1].cost.price, costs[0].cost.price);
}

TEST(BoughtBandwidth, MayReferToAFabricDescribedInPlace) {
  const auto named = costs_of(kPanel + "  - {kind: fat_tree, bandwidth: {same_cost_as: panel}}\n");
  const auto described = costs_of(
      "gpus: 16\nfabric: {kind: fat_tree, bandwidth: {same_cost_as: {kind: sip_ocs, switches: 4, "
      "interface: nic, plane: patch_panel, bandwidth: 400 Gbps}}}\n");
  ASSERT_EQ(described.size(), 1U);
  EXPECT_EQ(described[0].fabric.settings.bandwidth("bandwidth"),
            named[1].fabric.settings.bandwidth("bandwidth"));
}

TEST(BoughtBandwidth, FollowsAFabricThatVaries) {
  const auto costs = costs_of(
      "gpus: [16, 54]\nfabrics:\n"
      "  - {kind: fat_tree, bandwidth: {same_cost_as: mesh}}\n"
      "  - {name: mesh, kind: full_mesh, bandwidth: [25 Gbps, 100 Gbps]}\n");
  ASSERT_EQ(costs.size(), 8U);
  for (const std::size_t first : {0, 4}) {
    EXPECT_EQ(costs[first].name(), "fat_tree");
    EXPECT_LE(costs[first].cost.price, costs[first + 2].cost.price);
    EXPECT_LE(costs[first + 1].cost.price, costs[first + 3].cost.price);
    EXPECT_LT(costs[first].fabric.settings.bandwidth("bandwidth"),
              costs[first + 1].fabric.settings.bandwidth("bandwidth"));
  }
}

TEST(BoughtBandwidth, MayBeTheEgressOfADevice) {
  const auto costs =
      costs_of(kPanel + "  - {kind: torus, shape: 4x4, egress: {same_cost_as: panel}}\n");
  // As many ports per device as with the panel, without the cost of the panel.
  EXPECT_GT(costs[1].fabric.settings.bandwidth("egress"), 400_Gbps);
}

TEST(BoughtBandwidth, IsThatOfAnIntegerNumberOfWavelengths) {
  const auto costs =
      costs_of(kPanel + "  - {kind: sip_ring, fibers: 4, bandwidth: {same_cost_as: panel}}\n");
  EXPECT_EQ(exact(costs[1].fabric.settings.bandwidth("bandwidth")), "3400 Gbps");
}

TEST(BoughtBandwidth, MayDrawThePowerOfAnotherFabric) {
  const auto costs = costs_of(kPanel + "  - {kind: fat_tree, bandwidth: {same_power_as: panel}}\n");
  EXPECT_LE(costs[1].cost.power, costs[0].cost.power);
  EXPECT_FALSE(costs[1].unaffordable);
  const Bandwidth more{costs[1].fabric.settings.bandwidth("bandwidth").bits_per_second +
                       1'000'000'000};
  const auto faster = costs_of(kPanel + "  - {kind: fat_tree, bandwidth: " + exact(more) + "}\n");
  EXPECT_GT(faster[1].cost.power, costs[0].cost.power);
}

TEST(BoughtBandwidth, IsInfeasibleAtTheLowestCostIfNoneIsWithinTheBudget) {
  const auto costs = costs_of(
      "gpus: 2\nfabrics:\n  - {kind: switch, bandwidth: {same_cost_as: mesh}}\n"
      "  - {name: mesh, kind: full_mesh, bandwidth: 1 Gbps}\n");
  ASSERT_TRUE(costs[0].unaffordable);
  // At 10 Gbps, the lowest rate in the table: 2 NICs, 2 switch ports and 2 copper cables.
  EXPECT_EQ(exact(costs[0].fabric.settings.bandwidth("bandwidth")), "10 Gbps");
  EXPECT_EQ(costs[0].unaffordable->why, "switch costs " + readable(costs[0].cost.price) +
                                            " at least, but mesh costs " +
                                            readable(costs[1].cost.price));
  EXPECT_FALSE(costs[1].unaffordable);
}

TEST(BoughtBandwidth, IsRefusedWithLocationAndReason) {
  EXPECT_EQ(refusal(kPanel + "  - {kind: switch, bandwidth: {same_cost_as: panels}}\n"),
            "s.yaml:4: fabric.bandwidth has the same cost as panels; the name of another fabric is "
            "needed");
  EXPECT_EQ(
      refusal(kPanel + "  - {name: x, kind: switch, bandwidth: {same_cost_as: x}}\n"),
      "s.yaml:4: the bandwidth of x is itself to be computed; a fabric with a given bandwidth is "
      "needed");
  EXPECT_EQ(refusal(kPanel + "  - {kind: switch, bandwidth: {same_cost_as: panel, twice: 1}}\n"),
            "s.yaml:4: fabric.bandwidth is a map; {same_cost_as: NAME or a fabric} is needed");
  EXPECT_EQ(refusal("fabrics:\n  - {kind: switch, bandwidth: {same_cost_as: mesh}}\n"
                    "  - {name: mesh, kind: full_mesh, bandwidth: 1 Gbps}\n"),
            "s.yaml:1: scenario lacks 'gpus' (devices in the cluster), which same_cost_as needs");
  EXPECT_EQ(
      refusal("gpus: 80\nfabrics:\n  - {kind: mordia, bandwidth: {same_cost_as: mesh}}\n"
              "  - {name: mesh, kind: full_mesh, bandwidth: 400 Gbps}\n"),
      "s.yaml:3: mesh costs 12.42 MUSD, more than mordia can at any bandwidth; a fabric that costs "
      "less is needed");
  EXPECT_EQ(refusal(kPanel + "  - {kind: fat_tree, radix: 7, bandwidth: {same_cost_as: panel}}\n"),
            "s.yaml:4: fabric.radix is 7; an even number is needed");
}

}  // namespace
}  // namespace loom::scenario
