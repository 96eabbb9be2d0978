#include "loom/cost/prices.h"

#include <gtest/gtest.h>

#include "loom/cost/testing.h"

namespace loom::cost {
namespace {

PriceTable table_of(const std::string& text) { return read_prices(text, "p.yaml", {}); }

const std::string kTwo =
    "components:\n"
    "  - {component: nic, rate: 100 Gbps, price: 100 USD, power: 10 W}\n"
    "  - {component: nic, rate: 40 Gbps, price: 40.5 USD, power: 4 W}\n"
    "  - {component: fiber, price: 3 USD, power: 0 W}\n";

UnitPrice at(const PriceTable& table, std::string_view component, Bandwidth rate) {
  std::string why;
  const auto found = find_price(table, component, rate, why);
  EXPECT_TRUE(found) << why;
  return found.value_or(UnitPrice{});
}

TEST(Prices, EveryBuiltInFigureHasASourceOrSaysThatItIsAnEstimate) {
  for (const PriceEntry& it : built_in_prices().entries) {
    EXPECT_NE(it.price_source.text, "built-in prices") << it.component << " at " << exact(it.rate);
    EXPECT_NE(it.power_source.text, "built-in prices") << it.component << " at " << exact(it.rate);
  }
}

TEST(Prices, NoBuiltInFigureIsFromMemory) {
  for (const PriceEntry& it : built_in_prices().entries) {
    for (const Source& source : {it.price_source, it.power_source}) {
      EXPECT_EQ(source.text.find("memory"), std::string::npos) << it.component;
      EXPECT_EQ(source.text.find("not checked"), std::string::npos) << it.component;
      EXPECT_FALSE(source.text.empty()) << it.component;
    }
  }
  EXPECT_FALSE(built_in_prices().floor_source.empty());
  EXPECT_FALSE(built_in_prices().energy.source.empty());
}

TEST(Prices, AYearOfAKilowattCostsItsHoursTimesThePue) {
  EXPECT_EQ(exact(yearly_cost({1'000'000'000}, {{100'000}, 1.5, ""})), "1314 USD");
  EXPECT_EQ(yearly_cost({1'000'000'000}, {}).microdollars, 0);
  EXPECT_EQ(yearly_cost({1}, {{100'000}, 1, ""}).microdollars, 1);  // rounded up from 0.876
}

TEST(Prices, OfAFileSayHowRacksStandAndWhatEnergyCosts) {
  const PriceTable table =
      read_prices("gpus_per_rack: 8\nenergy_price: 0.2 USD\n", "mine.yaml", built_in_prices());
  EXPECT_EQ(table.floor.gpus_per_rack, 8);
  EXPECT_EQ(table.floor.racks_per_row, 16);
  EXPECT_EQ(table.floor_source, "mine.yaml");
  EXPECT_EQ(exact(table.energy.kilowatt_hour), "0.2 USD");
  EXPECT_EQ(table.energy.pue, 1.56);
}

TEST(Prices, CoverEveryComponent) {
  for (const std::string_view component :
       {fabric::kNic, fabric::kTransceiver, fabric::kSwitchPort, fabric::kFiber,
        fabric::kServerPort, fabric::kOcsPort, fabric::kPatchPanelPort, fabric::kOpticalSwitch,
        fabric::kSipInterface, fabric::kDwdmTransceiver, fabric::kWssPort, fabric::kMuxPort,
        fabric::kDac, fabric::kShortFiber}) {
    at(built_in_prices(), component, 100_Gbps);
  }
}

TEST(Prices, MatchTopoOptAtAHundredGigabits) {
  const PriceTable& table = built_in_prices();
  EXPECT_EQ(exact(at(table, fabric::kTransceiver, 100_Gbps).price), "99 USD");
  EXPECT_EQ(exact(at(table, fabric::kNic, 100_Gbps).price), "659 USD");
  EXPECT_EQ(exact(at(table, fabric::kSwitchPort, 100_Gbps).price), "187 USD");
  EXPECT_EQ(exact(at(table, fabric::kPatchPanelPort, 100_Gbps).price), "100 USD");
  EXPECT_EQ(exact(at(table, fabric::kOcsPort, 100_Gbps).price), "520 USD");
  EXPECT_EQ(exact(at(table, fabric::kOpticalSwitch, 100_Gbps).price), "25 USD");
}

TEST(Prices, WithoutARuleAreOnlyTheListedOnes) {
  const PriceTable table = table_of(kTwo);
  EXPECT_EQ(exact(at(table, fabric::kNic, 40_Gbps).price), "40.5 USD");
  EXPECT_EQ(exact(at(table, fabric::kFiber, 77_Gbps).price), "3 USD");
  std::string why;
  EXPECT_FALSE(find_price(table, fabric::kNic, 50_Gbps, why));
  EXPECT_EQ(
      why,
      "there is no price for component nic at 50 Gbps, only at 40 Gbps, 100 Gbps; add it to a "
      "file for --prices: components: [{component: nic, rate: 50 Gbps, price: … USD, power: "
      "… W}], or set between: lanes or linear");
  EXPECT_FALSE(find_price(table, "mirror", 50_Gbps, why));
  EXPECT_EQ(why,
            "there is no price for component mirror; add it to a file for --prices: components: "
            "[{component: mirror, rate: 50 Gbps, price: … USD, power: … W}]");
}

TEST(Prices, WithLanesAreThoseOfTheNextHigherRateOrSeveralOfTheHighest) {
  const PriceTable table = table_of("between: lanes\n" + kTwo);
  EXPECT_EQ(exact(at(table, fabric::kNic, 1_Gbps).price), "40.5 USD");
  EXPECT_EQ(exact(at(table, fabric::kNic, 41_Gbps).price), "100 USD");
  EXPECT_EQ(exact(at(table, fabric::kNic, 200_Gbps).price), "200 USD");
  EXPECT_EQ(exact(at(table, fabric::kNic, 201_Gbps).price), "300 USD");
  EXPECT_EQ(exact(at(table, fabric::kNic, 201_Gbps).power), "30 W");
}

TEST(Prices, WithLinearLieBetweenTheirNeighbors) {
  const PriceTable table = table_of("between: linear\n" + kTwo);
  EXPECT_EQ(exact(at(table, fabric::kNic, 1_Gbps).price), "40.5 USD");
  EXPECT_EQ(exact(at(table, fabric::kNic, 70_Gbps).price), "70.25 USD");
  EXPECT_EQ(exact(at(table, fabric::kNic, 70_Gbps).power), "7 W");
  EXPECT_EQ(exact(at(table, fabric::kNic, 250_Gbps).price), "250 USD");
}

TEST(Prices, FromAFileOverrideTheOthersFigureByFigure) {
  const PriceTable table = read_prices(
      "components: [{component: nic, rate: 40 Gbps, price: 30 USD}, {component: fiber, rate: 1 "
      "Gbps, "
      "price: 1 USD, power: 0 W}, {component: nic, rate: 50 Gbps, price: 31 USD, power: 5 W, "
      "price_estimate: guessed}]",
      "mine.yaml", table_of(kTwo));
  ASSERT_EQ(table.entries.size(), 4U);
  EXPECT_EQ(exact(at(table, fabric::kNic, 40_Gbps).price), "30 USD");
  EXPECT_EQ(exact(at(table, fabric::kNic, 40_Gbps).power), "4 W");
  EXPECT_EQ(table.entries[0].price_source.text, "mine.yaml");
  EXPECT_EQ(table.entries[0].power_source.text, "p.yaml");
  EXPECT_TRUE(at(table, fabric::kNic, 50_Gbps).estimate);
  EXPECT_EQ(table.entries[1].rate, 50_Gbps);
}

TEST(Prices, ReadBackAsTheyWereWritten) {
  const std::string text = to_yaml(built_in_prices());
  EXPECT_EQ(to_yaml(read_prices(text, "again.yaml", {})), text);
}

TEST(Prices, AreRefusedWithLocationAndReason) {
  const auto refused = [](const std::string& text) {
    return message([&] { read_prices(text, "p.yaml", built_in_prices()); });
  };
  EXPECT_EQ(refused("pue: 0.5"), "p.yaml:1: prices.pue is 0.5; a value from 1 to 100 is needed");
  EXPECT_EQ(refused("gpus_per_rack: 0"),
            "p.yaml:1: prices.gpus_per_rack is 0; at least 1 is needed");
  EXPECT_EQ(refused("[1]"),
            "p.yaml:1: the prices are not a map; a map with between and components is needed");
  EXPECT_EQ(
      refused("components: 3"),
      "p.yaml:1: prices.components is not a list; a list of {component: …, price: …} is needed");
  EXPECT_EQ(refused("components:\n  - 3"),
            "p.yaml:2: a price is not a map; a map with component, price and power is needed");
  EXPECT_EQ(refused("components:\n  - {component: nic, rate: 100 Gbps, price: 5}"),
            "p.yaml:2: price.price is 5; a price needs one of the units USD, kUSD, MUSD, GUSD");
  EXPECT_EQ(refused("components:\n  - {component: nic, rate: 50 Gbps, price: 500 USD}"),
            "p.yaml:2: nic at 50 Gbps lacks 'power', and no other table has it");
  EXPECT_EQ(refused("components:\n  - {component: nic, rate: 100 Gbps, price: 5 USD}"),
            "p.yaml:2: nic at 100 Gbps costs 5 USD, less than 354 USD at 40 Gbps; prices must "
            "not fall with the rate");
  EXPECT_EQ(refused("components:\n  - {component: nic, rate: 100 Gbps, price: 5 kUSD}"),
            "p.yaml:2: nic at 200 Gbps costs 1079 USD, less than 5000 USD at 100 Gbps; prices must "
            "not fall with the rate");
  EXPECT_EQ(refused("components:\n  - {component: fiber, price: 1 USD}\n  - {component: fiber, "
                    "price: 2 USD}"),
            "p.yaml:3: fiber is listed twice; one entry is needed");
  EXPECT_EQ(
      refused(
          "components:\n  - {component: fiber, price: 1 USD}\n  - {component: fiber, rate: 1 Gbps, "
          "price: 1 USD, power: 0 W}"),
      "p.yaml:3: fiber is listed both with and without a rate; one of the two is needed");
  EXPECT_EQ(refused("components:\n  - {component: fibre, price: 1 USD, power: 0 W}"),
            "p.yaml:2: price.component is fibre; it was renamed; write fiber");
  EXPECT_EQ(refused("components:\n  - {component: fiber, power_source: me}"),
            "p.yaml:2: price.power_source is me; it needs a power in the same entry");
  EXPECT_EQ(
      refused(
          "components:\n  - {component: fiber, price: 1 USD, price_source: a, price_estimate: b}"),
      "p.yaml:2: price.price_estimate is b; price_source is given too; only one of the two is "
      "possible");
}

}  // namespace
}  // namespace loom::cost
