// The fluid engine against the oracle, on random flows. A failing case prints its seed and number,
// which reproduce it.
#include "tests/agree/water_filling.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/agree/random_flows.h"

namespace loom {
namespace {

constexpr int kCases = 1000;  // per kind

using oracle::Real;

// Tolerance if both round ends up to picoseconds. Rates are rounded (see rate.h): for equal flows
// that changes an end by one picosecond once in thousands of flows, for large denominators more
// often.
enum class Nearness { a_picosecond, rounding };

bool agree(Real ours, Real theirs, Nearness nearness) {
  const Real tolerance = nearness == Nearness::a_picosecond ? 1 : 2 + 1e-9L * theirs;
  return std::abs(ours - theirs) <= tolerance;
}

// Exact ends differ more: a flow that releases its share half a picosecond late delays others by
// that time multiplied by the ratio of their rates before and after.
bool agree_without_clock(Real ours, Real theirs) {
  return std::abs(ours - theirs) <= 1'000 + 1e-6L * theirs;
}

// The first difference; "" if none.
std::string difference(const FlowCase& it, Nearness nearness) {
  simulate::EngineOptions options;
  options.sharing = it.sharing;
  options.verify = true;
  const simulate::Outcome outcome = simulate_fluid(it.workload, it.network, it.changes, options);
  if (outcome.deadlock) return "deadlock: " + outcome.deadlock->waiting.front();
  const auto ends_by = [&](oracle::Clock clock) {
    return oracle::water_filling(capacities_of(it), flows_of(it), changes_of(it), clock);
  };
  const std::vector<Real> ticking = ends_by(oracle::Clock::ticking);
  const std::vector<Real> continuous = ends_by(oracle::Clock::continuous);
  for (std::size_t i = 0; i < it.paths.size(); ++i) {
    const auto end = static_cast<Real>(elapsed(outcome.operation_end[i]).count());
    if (agree(end, ticking[i], nearness) && agree_without_clock(end, continuous[i])) continue;
    return fmt::format("flow {} of {} ends at {} ps; the oracle's end is {} ps, unrounded {:.3f}",
                       i, it.paths.size(), end, ticking[i], continuous[i]);
  }
  return "";
}

void expect_agreement(std::uint64_t seed, Nearness nearness, const FlowKinds& kinds) {
  for (std::uint64_t number = 0; number < kCases; ++number) {
    Random random = random_stream(seed, number);
    const FlowCase it = random_flows(kinds, random);
    ASSERT_EQ(difference(it, nearness), "") << "seed " << seed << ", case " << number;
  }
}

TEST(WaterFilling, TheOracleSharesAsInTheTextbook) {
  // Bertsekas and Gallager, figure 6.11: one flow over both links, two more on the second.
  const std::vector<oracle::Flow> flows = {{.size = 1, .paths = {{{0}, {1}}}},
                                           {.size = 1, .paths = {{{0}}}},
                                           {.size = 1, .paths = {{{1}}}},
                                           {.size = 1, .paths = {{{1}}}}};
  const auto rates = oracle::fair_rates({3, 3}, flows);
  EXPECT_EQ(rates, (std::vector<oracle::Real>{1, 2, 1, 1}));
}

TEST(WaterFilling, FlowsThatStartTogetherOrNotEndAsInTheOracle) {
  expect_agreement(11, Nearness::a_picosecond, {});
}

TEST(WaterFilling, FlowsWithLatencyEndAsInTheOracle) {
  expect_agreement(12, Nearness::a_picosecond, {.latency = true});
}

TEST(WaterFilling, WeightedFlowsEndAsInTheOracle) {
  expect_agreement(13, Nearness::rounding, {.weighted = true, .latency = true});
}

TEST(WaterFilling, SplitFlowsEndAsInTheOracle) {
  expect_agreement(14, Nearness::rounding, {.split = true, .latency = true});
}

TEST(WaterFilling, FlowsOverLinksThatChangeEndAsInTheOracle) {
  expect_agreement(15, Nearness::a_picosecond, {.latency = true, .changes = true});
}

TEST(WaterFilling, WeightedSplitFlowsOverLinksThatChangeEndAsInTheOracle) {
  expect_agreement(16, Nearness::rounding,
                   {.split = true, .weighted = true, .latency = true, .changes = true});
}

TEST(WaterFilling, ReroutedFlowsEndAsInTheOracle) {
  expect_agreement(17, Nearness::a_picosecond, {.paths = 3, .fixed_paths = false, .changes = true});
}

TEST(WaterFilling, WeightedSplitReroutedFlowsEndAsInTheOracle) {
  expect_agreement(
      18, Nearness::rounding,
      {.paths = 2, .fixed_paths = false, .split = true, .weighted = true, .changes = true});
}

}  // namespace
}  // namespace loom
