#include "loom/cost/same_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "loom/cost/testing.h"

namespace loom::cost {
namespace {

constexpr std::int64_t kMega = 1'000'000;

// A cost that rises in steps, buildable within a range of Mbps.
struct Steps {
  std::vector<std::int64_t> at;  // sorted
  std::int64_t min = 0;
  std::int64_t max = 0;

  std::optional<std::int64_t> operator()(Bandwidth bandwidth) const {
    const std::int64_t mbps = bandwidth.bits_per_second / kMega;
    if (mbps < min || mbps > max) return std::nullopt;
    return std::upper_bound(at.begin(), at.end(), mbps) - at.begin() + 1;
  }
};

// The highest affordable bandwidth in Mbps, found by trying all from the highest down; 0 if none.
std::int64_t scanned(const Steps& cost, std::int64_t budget) {
  for (std::int64_t mbps = cost.max; mbps >= cost.min; --mbps) {
    if (*cost({mbps * kMega}) <= budget) return mbps;
  }
  return 0;
}

TEST(SameCost, MatchesAScanOfAllBandwidths) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 200; ++i) {
    const auto some = [&](std::int64_t low, std::int64_t high) {
      return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    Steps cost;
    cost.min = some(1, 90'000);
    cost.max = some(2 * cost.min, 400'000);
    for (std::int64_t n = some(0, 12); n > 0; --n) cost.at.push_back(some(1, 400'000));
    std::sort(cost.at.begin(), cost.at.end());
    const std::int64_t budget = some(0, 13);
    const SameCost found = largest_bandwidth(budget, cost);
    const std::int64_t expected = scanned(cost, budget);
    EXPECT_EQ(found.outcome, expected == 0 ? Affordable::too_dear : Affordable::found);
    EXPECT_EQ(found.bandwidth.bits_per_second, (expected == 0 ? cost.min : expected) * kMega);
  }
}

TEST(SameCost, HasNoBandwidthIfNothingCanBeBuiltOrEverythingIsAffordable) {
  EXPECT_EQ(largest_bandwidth(1, [](Bandwidth) { return std::nullopt; }).outcome,
            Affordable::impossible);
  EXPECT_EQ(largest_bandwidth(1, [](Bandwidth) { return 1; }).outcome, Affordable::unlimited);
}

const std::string kPanel =
    "kind: sip_ocs, switches: 4, interface: nic, plane: patch_panel, bandwidth: 400 Gbps";

std::int64_t fat_tree_cost(Bandwidth bandwidth, const PriceTable& table) {
  return price("kind: fat_tree, bandwidth: " + exact(bandwidth), 128, table).microdollars;
}

TEST(SameCost, IsTheLargestFatTreeThatThePatchPanelBudgetPaysFor) {
  const PriceTable& table = built_in_prices();
  const std::int64_t budget = price(kPanel, 128).microdollars;
  const SameCost found =
      largest_bandwidth(budget, [&](Bandwidth b) { return fat_tree_cost(b, table); });
  ASSERT_EQ(found.outcome, Affordable::found);
  EXPECT_LE(fat_tree_cost(found.bandwidth, table), budget);
  EXPECT_GT(fat_tree_cost({found.bandwidth.bits_per_second + kMega}, table), budget);
}

TEST(SameCost, WithLanesIsARateOfTheTable) {
  PriceTable table = built_in_prices();
  table.between = BetweenRates::lanes;
  const std::int64_t budget = price(kPanel, 128).microdollars;
  Bandwidth best;
  for (const PriceEntry& it : table.entries) {
    const bool paid = it.component == fabric::kNic && fat_tree_cost(it.rate, table) <= budget;
    if (paid) best = std::max(best, it.rate);
  }
  const SameCost found =
      largest_bandwidth(budget, [&](Bandwidth b) { return fat_tree_cost(b, table); });
  EXPECT_EQ(found.bandwidth, best);
}

}  // namespace
}  // namespace loom::cost
