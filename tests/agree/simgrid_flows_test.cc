// The fluid engine against SimGrid 3.32, an independent library, on random flows.
//
// SimGrid's CM02 shares a link in proportion to 1/latency, or equally without latency. Hence three
// kinds of case: no latency, one latency for all flows, and latencies inverse to our weights.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/agree/simgrid_run.h"

namespace loom {
namespace {

constexpr int kBatches = 40;  // one child process each
constexpr int kCasesOfBatch = 10;
constexpr double kTolerance = 1e-6;

using Adjust = void (*)(FlowCase& it, Random& random);

void leave(FlowCase& /*it*/, Random& /*random*/) {}

void set_latencies(FlowCase& it, const std::vector<Duration>& latencies) {
  for (std::size_t i = 0; i < it.paths.size(); ++i) it.paths[i].front().latency = latencies[i];
  set_router(it);
}

void one_latency(FlowCase& it, Random& random) {
  set_latencies(it,
                std::vector<Duration>(it.paths.size(), Duration(sample(random, 1, 1'000'000'000))));
}

// 2520 is divisible by all weights up to ten.
void latencies_by_weight(FlowCase& it, Random& random) {
  it.sharing = transport::Sharing::weighted;
  std::vector<Duration> latencies;
  for (workload::Operation& flow : it.workload.operations) {
    flow.weight = static_cast<std::int32_t>(sample(random, 1, 10));
    latencies.push_back(2520_ns / flow.weight);
  }
  set_latencies(it, latencies);
}

// The largest relative error of an end time.
double largest_error(const FlowCase& it, const std::vector<double>& theirs) {
  simulate::EngineOptions options;
  options.sharing = it.sharing;
  const simulate::Outcome outcome = simulate_fluid(it.workload, it.network, {}, options);
  double largest = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const double ours = seconds(elapsed(outcome.operation_end[i]));
    largest = std::max(largest, std::abs(ours - theirs[i]) / ours);
  }
  return largest;
}

void expect_agreement(std::uint64_t seed, Adjust adjust) {
  double largest = 0;
  int flows = 0;
  for (std::uint64_t batch = 0; batch < kBatches; ++batch) {
    std::vector<FlowCase> cases;
    for (std::uint64_t number = 0; number < kCasesOfBatch; ++number) {
      Random random = random_stream(seed, batch * kCasesOfBatch + number);
      cases.push_back(random_flows({.max_flows = 30, .min_size = 1_MB}, random));
      adjust(cases.back(), random);
    }
    const auto ends = simgrid_ends(cases);
    for (std::size_t number = 0; number < cases.size(); ++number) {
      const double error = largest_error(cases[number], ends[number]);
      EXPECT_LE(error, kTolerance)
          << "seed " << seed << ", case " << batch * kCasesOfBatch + number;
      largest = std::max(largest, error);
      flows += static_cast<int>(ends[number].size());
    }
  }
  fmt::print("{} cases, {} flows; largest relative error {:.1e}\n", kBatches * kCasesOfBatch, flows,
             largest);
}

TEST(SimGrid, FlowsWithoutLatencyEndAsInSimGrid) { expect_agreement(71, leave); }

TEST(SimGrid, FlowsOfEqualLatencyEndAsInSimGrid) { expect_agreement(72, one_latency); }

TEST(SimGrid, FlowsWeightedByTheInverseOfTheirLatencyEndAsInSimGrid) {
  expect_agreement(73, latencies_by_weight);
}

}  // namespace
}  // namespace loom
