#include "loom/cost/prices.h"

#include <gtest/gtest.h>

#include "loom/cost/testing.h"

namespace loom {
namespace {

PriceTable table_of(const std::string& text) { return read_prices(text, "p.yaml", {}); }

const std::string kTwo =
    "parts:\n"
    "  - {part: nic, rate: 100 Gbps, price: 100 USD, power: 10 W}\n"
    "  - {part: nic, rate: 40 Gbps, price: 40.5 USD, power: 4 W}\n"
    "  - {part: fibre, price: 3 USD, power: 0 W}\n";

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

TEST(Prices, KnowEveryPartThereIs) {
  for (const std::string_view component :
       {kNic, kTransceiver, kSwitchPort, kFibre, kServerPort, kOcsPort, kPatchPanelPort,
        kOpticalSwitch, kSipInterface, kDwdmTransceiver, kWssPort, kMuxPort}) {
    at(built_in_prices(), component, 100_Gbps);
  }
}

TEST(Prices, AreThoseOfTopoOptAtAHundredGigabits) {
  const PriceTable& table = built_in_prices();
  EXPECT_EQ(exact(at(table, kTransceiver, 100_Gbps).price), "99 USD");
  EXPECT_EQ(exact(at(table, kNic, 100_Gbps).price), "659 USD");
  EXPECT_EQ(exact(at(table, kSwitchPort, 100_Gbps).price), "187 USD");
  EXPECT_EQ(exact(at(table, kPatchPanelPort, 100_Gbps).price), "100 USD");
  EXPECT_EQ(exact(at(table, kOcsPort, 100_Gbps).price), "520 USD");
  EXPECT_EQ(exact(at(table, kOpticalSwitch, 100_Gbps).price), "25 USD");
}

TEST(Prices, WithoutARuleAreOnlyThoseOfTheTable) {
  const PriceTable table = table_of(kTwo);
  EXPECT_EQ(exact(at(table, kNic, 40_Gbps).price), "40.5 USD");
  EXPECT_EQ(exact(at(table, kFibre, 77_Gbps).price), "3 USD");
  std::string why;
  EXPECT_FALSE(find_price(table, kNic, 50_Gbps, why));
  EXPECT_EQ(why,
            "there is no price for the part nic at 50 Gbps, only at 40 Gbps, 100 Gbps; a file for "
            "--prices adds it: parts: [{part: nic, rate: 50 Gbps, price: … USD, power: … W}], and "
            "between: lanes or linear allows others");
  EXPECT_FALSE(find_price(table, "mirror", 50_Gbps, why));
  EXPECT_EQ(why,
            "there is no price for the part mirror; a file for --prices adds it: parts: [{part: "
            "mirror, rate: 50 Gbps, price: … USD, power: … W}]");
}

TEST(Prices, InLanesAreThoseOfTheNextRateUpOrSeveralOfTheHighest) {
  const PriceTable table = table_of("between: lanes\n" + kTwo);
  EXPECT_EQ(exact(at(table, kNic, 1_Gbps).price), "40.5 USD");
  EXPECT_EQ(exact(at(table, kNic, 41_Gbps).price), "100 USD");
  EXPECT_EQ(exact(at(table, kNic, 200_Gbps).price), "200 USD");
  EXPECT_EQ(exact(at(table, kNic, 201_Gbps).price), "300 USD");
  EXPECT_EQ(exact(at(table, kNic, 201_Gbps).power), "30 W");
}

TEST(Prices, OnALineLieBetweenTheirNeighbours) {
  const PriceTable table = table_of("between: linear\n" + kTwo);
  EXPECT_EQ(exact(at(table, kNic, 1_Gbps).price), "40.5 USD");
  EXPECT_EQ(exact(at(table, kNic, 70_Gbps).price), "70.25 USD");
  EXPECT_EQ(exact(at(table, kNic, 70_Gbps).power), "7 W");
  EXPECT_EQ(exact(at(table, kNic, 250_Gbps).price), "250 USD");
}

TEST(Prices, OfAFileStandBeforeTheOthersFigureByFigure) {
  const PriceTable table = read_prices(
      "parts: [{part: nic, rate: 40 Gbps, price: 30 USD}, {part: fibre, rate: 1 Gbps, "
      "price: 1 USD, power: 0 W}, {part: nic, rate: 50 Gbps, price: 31 USD, power: 5 W, "
      "price_estimate: guessed}]",
      "mine.yaml", table_of(kTwo));
  ASSERT_EQ(table.entries.size(), 4U);
  EXPECT_EQ(exact(at(table, kNic, 40_Gbps).price), "30 USD");
  EXPECT_EQ(exact(at(table, kNic, 40_Gbps).power), "4 W");
  EXPECT_EQ(table.entries[0].price_source.text, "mine.yaml");
  EXPECT_EQ(table.entries[0].power_source.text, "p.yaml");
  EXPECT_TRUE(at(table, kNic, 50_Gbps).estimate);
  EXPECT_EQ(table.entries[1].rate, 50_Gbps);
}

TEST(Prices, ReadBackAsTheyWereWritten) {
  const std::string text = to_yaml(built_in_prices());
  EXPECT_EQ(to_yaml(read_prices(text, "again.yaml", {})), text);
}

TEST(Prices, AreRefusedWithPlaceAndReason) {
  const auto refused = [](const std::string& text) {
    return message([&] { read_prices(text, "p.yaml", built_in_prices()); });
  };
  EXPECT_EQ(refused("[1]"),
            "p.yaml:1: the prices are not a map; a map with between and parts is needed");
  EXPECT_EQ(refused("parts: 3"),
            "p.yaml:1: prices.parts is not a list; a list of {part: …, price: …} is needed");
  EXPECT_EQ(refused("parts:\n  - 3"),
            "p.yaml:2: a price is not a map; a map with part, price and power is needed");
  EXPECT_EQ(refused("parts:\n  - {part: nic, rate: 100 Gbps, price: 5}"),
            "p.yaml:2: price.price is 5; a price needs one of the units USD, kUSD, MUSD, GUSD");
  EXPECT_EQ(refused("parts:\n  - {part: nic, rate: 50 Gbps, price: 500 USD}"),
            "p.yaml:2: nic at 50 Gbps lacks 'power', and no other table has it");
  EXPECT_EQ(refused("parts:\n  - {part: nic, rate: 100 Gbps, price: 5 USD}"),
            "p.yaml:2: nic at 100 Gbps costs 5 USD, less than 354 USD at 40 Gbps; prices that do "
            "not fall with the rate are needed");
  EXPECT_EQ(refused("parts:\n  - {part: nic, rate: 100 Gbps, price: 5 kUSD}"),
            "p.yaml:2: nic at 200 Gbps costs 1079 USD, less than 5000 USD at 100 Gbps; prices that "
            "do not fall with the rate are needed");
  EXPECT_EQ(refused("parts:\n  - {part: fibre, price: 1 USD}\n  - {part: fibre, price: 2 USD}"),
            "p.yaml:3: fibre stands twice; once is needed");
  EXPECT_EQ(refused("parts:\n  - {part: fibre, price: 1 USD}\n  - {part: fibre, rate: 1 Gbps, "
                    "price: 1 USD, power: 0 W}"),
            "p.yaml:3: fibre stands with a rate and without; one is needed");
  EXPECT_EQ(refused("parts:\n  - {part: fibre, power_source: me}"),
            "p.yaml:2: price.power_source is me; there is no power beside it");
  EXPECT_EQ(
      refused("parts:\n  - {part: fibre, price: 1 USD, price_source: a, price_estimate: b}"),
      "p.yaml:2: price.price_estimate is b; price_source is given too; one of them is needed");
}

}  // namespace
}  // namespace loom
