#include "loom/base/units.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

std::string time_refusal(std::string_view text) {
  std::string why;
  return parse_duration(text, why) ? "accepted" : why;
}

std::string size_refusal(std::string_view text) {
  std::string why;
  return parse_bytes(text, why) ? "accepted" : why;
}

std::int64_t picoseconds(std::string_view text) {
  std::string why;
  const auto time = parse_duration(text, why);
  EXPECT_TRUE(time) << text << ": " << why;
  return time ? time->count() : -1;
}

std::int64_t bytes(std::string_view text) {
  std::string why;
  const auto size = parse_bytes(text, why);
  EXPECT_TRUE(size) << text << ": " << why;
  return size ? size->count : -1;
}

std::int64_t bits_per_second(std::string_view text) {
  std::string why;
  const auto rate = parse_bandwidth(text, why);
  EXPECT_TRUE(rate) << text << ": " << why;
  return rate ? rate->bits_per_second : -1;
}

TEST(Units, ATransferNeverEndsEarly) { EXPECT_EQ(transfer_time(1_B, 3_Gbps), Duration(2667)); }

TEST(Units, ATransferTakesNoExtraPicosecond) {
  Random random = random_stream(1);
  for (int i = 0; i < 10'000; ++i) {
    const Bytes size{random(1'000'000'000)};
    const Bandwidth rate{1'000'000'000 + std::int64_t{random(2'000'000'000)}};
    const Int128 work = Int128{size.count} * 8 * 1'000'000'000'000;
    const Int128 moved = Int128{transfer_time(size, rate).count()} * rate.bits_per_second;
    EXPECT_GE(moved, work);
    EXPECT_LT(moved - rate.bits_per_second, work);
  }
}

TEST(Units, ATransferOfNothingTakesNoTime) { EXPECT_EQ(transfer_time(0_B, 1_bps), Duration(0)); }

TEST(Units, ATransferBeyondTheClockIsALimit) {
  EXPECT_THROW(transfer_time(kLargestSize, 1_bps), LimitError);
  EXPECT_EQ(transfer_time(kLargestSize, kLargestBandwidth), Duration(8'000'000'000'000));
}

TEST(Units, ATransferNeedsARate) { EXPECT_THROW(transfer_time(1_B, 0_bps), std::logic_error); }

TEST(Units, ARateIsBytesOverTimeRoundedDown) {
  EXPECT_EQ(rate_of(1_GB, 8_ms), Bandwidth{1'000'000'000'000});
  EXPECT_EQ(rate_of(1_B, Duration(3)), Bandwidth{2'666'666'666'666});
  EXPECT_EQ(rate_of(kLargestSize, 1_ps), Bandwidth{kLargest});
}

TEST(Units, SumsAndProductsBeyondTheClockAreALimit) {
  EXPECT_EQ(add(1_us, 2_ns), Duration(1'002'000));
  EXPECT_EQ(add(kForever - 1_ps, 1_ps), kForever);
  EXPECT_THROW(add(kForever, 1_ps), LimitError);
  EXPECT_EQ(times(3, 2_us), 6_us);
  EXPECT_EQ(times(0, kForever), Duration(0));
  EXPECT_THROW(times(1'000'000, kLongestDuration), LimitError);
}

TEST(Units, ATrainingSpanIsNeverRoundedDown) {
  EXPECT_EQ(training_span(1'000'000, 250_ms), TrainingSpan{250'000'000'000});
  EXPECT_EQ(training_span(3, 500_ns), TrainingSpan{2});
  EXPECT_EQ(training_span(1, 1_ps), TrainingSpan{1});
  EXPECT_EQ(training_span(0, kForever), TrainingSpan{0});
  EXPECT_THROW(training_span(-1, 1_ms), std::logic_error);
}

TEST(Units, ATrainingSpanMayExceedTheClock) {
  EXPECT_EQ(training_span(1'000'000, kLongestDuration), TrainingSpan{1'000'000'000'000'000'000});
  EXPECT_THROW(training_span(10'000'000, kLongestDuration), LimitError);
  EXPECT_THROW(training_span(kLargest, kForever), LimitError);
}

TEST(Units, ATrainingSpanIsPrintedInHoursAndDays) {
  EXPECT_EQ(readable(TrainingSpan{0}), "0 us");
  EXPECT_EQ(readable(TrainingSpan{1'500'000}), "1.500 s");
  EXPECT_EQ(readable(TrainingSpan{90'000'000}), "1.500 min");
  EXPECT_EQ(readable(TrainingSpan{45'000'000'000}), "12.50 h");
  EXPECT_EQ(readable(TrainingSpan{2'592'000'000'000}), "30.00 days");
  EXPECT_EQ(exact(TrainingSpan{90'000'000}), "90 s");
  EXPECT_EQ(exact(TrainingSpan{7'200'000'000}), "2 h");
  EXPECT_EQ(exact(TrainingSpan{kLargest}), "9223372036854775807 us");
}

TEST(Units, PiecesDifferByAtMostOneByteAndAddUp) {
  for (const std::int64_t size : {0, 1, 7, 64, 1000}) {
    for (const std::int64_t pieces : {1, 3, 7, 64}) {
      Bytes sum;
      for (std::int64_t i = 0; i < pieces; ++i) {
        const Bytes each = piece(Bytes{size}, pieces, i);
        EXPECT_LE(each, piece(Bytes{size}, pieces, 0));
        EXPECT_GE(each + 1_B, piece(Bytes{size}, pieces, 0));
        sum += each;
      }
      EXPECT_EQ(sum, Bytes{size});
    }
  }
}

TEST(Units, AQuantityIsANumberAndAUnit) {
  EXPECT_EQ(picoseconds("20 us"), 20'000'000);
  EXPECT_EQ(picoseconds("20us"), 20'000'000);
  EXPECT_EQ(picoseconds("20  µs"), 20'000'000);
  EXPECT_EQ(picoseconds("1.5 min"), 90'000'000'000'000);
  EXPECT_EQ(picoseconds(".5 ns"), 500);
  EXPECT_EQ(picoseconds("2. h"), 7'200'000'000'000'000);
  EXPECT_EQ(bytes("4 GiB"), std::int64_t{4} << 30);
  EXPECT_EQ(bytes("4 GB"), 4'000'000'000);
  EXPECT_EQ(bytes("1 KB"), bytes("1 kB"));
  EXPECT_EQ(bits_per_second("25 Gbps"), 25'000'000'000);
  EXPECT_EQ(bits_per_second("25 Gbit/s"), 25'000'000'000);
  EXPECT_EQ(bits_per_second("25 Gb/s"), 25'000'000'000);
  EXPECT_EQ(bits_per_second("25 GB/s"), 200'000'000'000);
  EXPECT_EQ(bits_per_second("0.4 Tbps"), 400'000'000'000);
}

TEST(Units, ParsingDoesNotRound) {
  EXPECT_EQ(picoseconds("0.001 ns"), 1);
  EXPECT_EQ(time_refusal("0.0001 ns"), "a time must be an integer number of picoseconds");
  EXPECT_EQ(picoseconds("1.100000 ns"), 1100);
  EXPECT_EQ(size_refusal("0.3 KiB"), "a size must be an integer number of bytes");
}

TEST(Units, BareNumbersAndUnknownUnitsAreRefused) {
  const std::string units = "a time needs one of the units ps, ns, us, ms, s, µs, min, h";
  const std::string form = "a time is a number and a unit, at least 0";
  for (const std::string_view text : {"20", "20 sec", "20 US", "20 us ", "1e3 us", "1,5 us"}) {
    EXPECT_EQ(time_refusal(text), units) << text;
  }
  for (const std::string_view text : {"", " ", "us", "-1 us", "+1 us", ". us", "1.2.3 us"}) {
    EXPECT_EQ(time_refusal(text), form) << text;
  }
}

TEST(Units, TheLargestQuantityIsAcceptedAndOneMoreIsRefused) {
  EXPECT_EQ(bytes("1 PB"), kLargestSize.count);
  EXPECT_EQ(size_refusal("1000000000000001 B"), "the largest is 1 PB");
  EXPECT_EQ(picoseconds("1000000 s"), kLongestDuration.count());
  EXPECT_EQ(time_refusal("1000000.000000000001 s"), "the largest is 1000000 s");
  EXPECT_EQ(size_refusal("9999999999999999999 PB"), "the largest is 1 PB");
  EXPECT_EQ(size_refusal(std::string(60, '9') + " B"), "a size is a number and a unit, at least 0");
}

TEST(Units, ReadableFormHasAtMostFourDigits) {
  EXPECT_EQ(readable(0_ps), "0 ps");
  EXPECT_EQ(readable(999_ps), "999 ps");
  EXPECT_EQ(readable(1_ns), "1.000 ns");
  EXPECT_EQ(readable(Duration(21'456'789'000)), "21.46 ms");
  EXPECT_EQ(readable(Duration(123'456'000)), "123.5 us");
  EXPECT_EQ(readable(kLongestDuration), "1000000 s");
  EXPECT_EQ(readable(256_MB), "256.0 MB");
  EXPECT_EQ(readable(1_B), "1 B");
  EXPECT_EQ(readable(400_Gbps), "400.0 Gbps");
}

TEST(Units, ExactFormUsesTheLargestUnitThatGivesAnInteger) {
  EXPECT_EQ(exact(0_ps), "0 ps");
  EXPECT_EQ(exact(1500_ns), "1500 ns");
  EXPECT_EQ(exact(2_ms), "2 ms");
  EXPECT_EQ(exact(1_MiB), "1048576 B");
  EXPECT_EQ(exact(25_Gbps), "25 Gbps");
}

// Numbers of every length up to the largest.
std::vector<std::int64_t> numbers_up_to(std::int64_t largest) {
  Random random = random_stream(7);
  std::vector<std::int64_t> numbers = {0, 1, 999, 1000, largest - 1, largest};
  for (std::int64_t power = 1; power < largest; power *= 10) {
    for (int i = 0; i < 50; ++i) {
      numbers.push_back(std::min(largest, power * std::int64_t{1 + random(9)} + random(1000)));
    }
    if (power > largest / 10) break;
  }
  return numbers;
}

TEST(Units, ExactFormParsesBack) {
  for (const std::int64_t number : numbers_up_to(kLongestDuration.count())) {
    EXPECT_EQ(picoseconds(exact(Duration(number))), number);
  }
  for (const std::int64_t number : numbers_up_to(kLargestSize.count)) {
    EXPECT_EQ(bytes(exact(Bytes{number})), number);
    EXPECT_EQ(bits_per_second(exact(Bandwidth{number})), number);
  }
}

TEST(Units, ReadableFormIsOffByLessThanOneInTwoThousand) {
  for (const std::int64_t number : numbers_up_to(kLargestSize.count)) {
    const auto read = static_cast<double>(bytes(readable(Bytes{number})));
    EXPECT_NEAR(read, static_cast<double>(number), static_cast<double>(number) / 1999) << number;
  }
}

TEST(Units, DecibelsMayBeNegativeAndPowersAreNotLosses) {
  std::string why;
  EXPECT_EQ(parse_decibel("0.05 dB", why), 0.05);
  EXPECT_EQ(parse_decibel("-3dB", why), -3);
  EXPECT_EQ(parse_decibel_milliwatt("-17 dBm", why), -17);
  for (const char* text : {"3", "3 dBm", "dB", "x dB", "3 x dB", "1e1 dB", "", "3 db"}) {
    EXPECT_FALSE(parse_decibel(text, why)) << text;
    EXPECT_EQ(why, "a loss is a number with dB") << text;
  }
  EXPECT_FALSE(parse_decibel_milliwatt("3 dB", why));
  EXPECT_EQ(why, "an optical power is a number with dBm");
  for (const char* text : {"1000.1 dBm", "-1001 dBm", "nan dBm", "inf dBm"}) {
    EXPECT_FALSE(parse_decibel_milliwatt(text, why)) << text;
    EXPECT_EQ(why, "it must be from -1000 to 1000 dBm") << text;
  }
}

TEST(Units, PercentagesNeedTheirSign) {
  std::string why;
  EXPECT_EQ(parse_percentage("5%", why), 0.05);
  EXPECT_EQ(parse_percentage("2.5 %", why), 0.025);
  EXPECT_EQ(parse_percentage("0%", why), 0);
  EXPECT_EQ(parse_percentage("100%", why), 1);
  for (const char* text : {"5", "0.05", "", "%", " %", "x%", "5%%", "5% ", "5 percent", "1e1%"}) {
    EXPECT_FALSE(parse_percentage(text, why)) << text;
    EXPECT_EQ(why, "a percentage is a number with %, such as 5%") << text;
  }
  for (const char* text : {"-1%", "100.1%", "nan%", "inf%"}) {
    EXPECT_FALSE(parse_percentage(text, why)) << text;
    EXPECT_EQ(why, "a percentage from 0% to 100% is needed") << text;
  }
}

TEST(Units, PricesAndPowersAreParsedAndPrintedExactly) {
  std::string why;
  EXPECT_EQ(parse_money("0.3 USD", why), Money{300'000});
  EXPECT_EQ(parse_money("1.5kUSD", why), Money{1'500'000'000});
  EXPECT_EQ(parse_power("390.625 mW", why), Power{390'625});
  EXPECT_EQ(exact(Money{300'000}), "0.3 USD");
  EXPECT_EQ(exact(Money{99'000'000}), "99 USD");
  EXPECT_EQ(exact(Money{0}), "0 USD");
  EXPECT_EQ(exact(Power{390'625}), "0.390625 W");
  EXPECT_EQ(readable(Money{412'345'000'000}), "412.3 kUSD");
  EXPECT_EQ(readable(Power{3'500'000}), "3.500 W");
}

TEST(Units, PricesAndPowersNeedTheirUnit) {
  std::string why;
  EXPECT_FALSE(parse_money("99", why));
  EXPECT_EQ(why, "a price needs one of the units USD, kUSD, MUSD, GUSD");
  EXPECT_FALSE(parse_money("0.0000001 USD", why));
  EXPECT_EQ(why, "a price must be an integer number of millionths of a USD");
  EXPECT_FALSE(parse_power("5 USD", why));
  EXPECT_EQ(why, "a power needs one of the units mW, W, kW, MW, GW");
  EXPECT_THROW(times(1'000'000'000, kLargestPrice), LimitError);
}

}  // namespace
}  // namespace loom
