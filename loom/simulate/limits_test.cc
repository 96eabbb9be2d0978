// The range of the clock: 2^63 picoseconds, about 106 days.
#include <gtest/gtest.h>

#include "loom/base/error.h"
#include "loom/simulate/closed_form.h"
#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

constexpr const char* kClockEnds =
    "the simulated time exceeds 106 days, the range of the picosecond clock";

std::string limit_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const LimitError& error) {
    return error.what();
  }
  return "no limit";
}

fabric::Network switch_of(const std::string& bandwidth) {
  return fabric::fabric_of("kind: switch, bandwidth: " + bandwidth, 2);
}

TEST(Limits, ATransferOfNinetyDaysIsWithinTheClockRange) {
  const workload::Workload workload = workload_of(2, {"message: 0 -> 1, size: 1 PB"});
  EXPECT_EQ(ends_of(workload, switch_of("1 Gbps")), Durations{8'000'000'000'000'000'000_ps});
}

TEST(Limits, ATransferBeyondTheClockIsALimitInBothEngines) {
  const workload::Workload workload = workload_of(2, {"message: 0 -> 1, size: 1 PB"});
  const fabric::Network network = switch_of("800 Mbps");
  EXPECT_EQ(limit_of([&] { run_fluid(workload, network); }), kClockEnds);
  EXPECT_EQ(limit_of([&] { simulate_coarse(workload, network, {}); }), kClockEnds);
}

TEST(Limits, TransfersThatTogetherExceedTheClockAreALimit) {
  const workload::Workload workload = workload_of(
      2, {"name: a, message: 0 -> 1, size: 1 PB", "message: 0 -> 1, size: 1 PB, after: a"});
  const fabric::Network network = switch_of("1 Gbps");
  EXPECT_EQ(limit_of([&] { run_fluid(workload, network); }), kClockEnds);
  EXPECT_EQ(limit_of([&] { simulate_coarse(workload, network, {}); }), kClockEnds);
}

TEST(Limits, ComputationsBeyondTheClockAreALimitInBothEngines) {
  std::vector<std::string> operations(10, "compute: 1000000 s, device: 0");
  const workload::Workload workload = workload_of(2, operations);
  const fabric::Network network = switch_of("1 Gbps");
  EXPECT_EQ(limit_of([&] { run_fluid(workload, network); }), kClockEnds);
  EXPECT_EQ(limit_of([&] { simulate_coarse(workload, network, {}); }), kClockEnds);
}

TEST(Limits, ALinkThatBecomesTooSlowIsALimitAndNotADeadlock) {
  const workload::Workload workload = workload_of(2, {"message: 0 -> 1, size: 1 TB"});
  EXPECT_EQ(limit_of([&] { run_fluid(workload, switch_of("1 Gbps"), {change(1_us, 0, 1_bps)}); }),
            kClockEnds);
}

TEST(Limits, TheTimeOfALinkLoadIsRoundedUpToThePicosecond) {
  EXPECT_EQ(load_time(Int128{125} * fabric::kWhole, 1_Gbps), 1_us);
  EXPECT_EQ(load_time(Int128{125} * fabric::kWhole + 1, 1_Gbps), 1_us + 1_ps);
  EXPECT_EQ(load_time(Int128{125} * fabric::kWhole / 3, 1_Gbps), 333'334_ps);
  EXPECT_EQ(load_time(0, 1_bps), 0_ps);
}

TEST(Limits, ALoadBeyondTheClockIsALimitHoweverLarge) {
  for (const Int128 bytes : {Int128{1} << 41, Int128{1} << 63, Int128{1} << 64, Int128{1} << 75}) {
    EXPECT_EQ(limit_of([&] { load_time(bytes * fabric::kWhole, 1_bps); }), kClockEnds);
    EXPECT_EQ(limit_of([&] { load_time(bytes * fabric::kWhole + 1, 1_bps); }), kClockEnds);
  }
}

TEST(Limits, ALoadBeyondSixtyThreeBitsOfBytesIsStillTimed) {
  EXPECT_EQ(load_time((Int128{1} << 64) * fabric::kWhole, {1'000'000'000'000'000}),
            Duration(147'573'952'589'676'413));
}

}  // namespace
}  // namespace loom::simulate
