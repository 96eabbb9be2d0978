// The search for splits of operators against all splits of small models, on ideal switches: every
// number of tensor ranks, micro-batch, ZeRO stage 0 or 1, and each operator as the strategy divides
// it or by samples. Both are estimated by the coarse engine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/random.h"
#include "loom/fabric/testing.h"
#include "loom/parallelize/operator_split.h"
#include "loom/parallelize/testing.h"
#include "loom/plan/planners.h"
#include "loom/plan/split_search.h"

namespace loom {
namespace {

using parallelize::OperatorSplit;

plan::JobSpec random_spec(Random& random) {
  plan::JobSpec spec;
  const auto width = [&] { return 64 << random(6); };
  spec.model = model::model_of(
      fmt::format("model: mlp, inputs: {}, widths: {}x{}", width(), width(), width()));
  spec.job.batch = 8 << random(4);
  spec.accelerator = parallelize::small_accelerator();
  spec.choice.planner = &plan::kUniformPlanner;
  return spec;
}

Duration time_of(const plan::JobSpec& spec, const parallelize::Strategy& it,
                 plan::NetworkProvider& provider) {
  if (parallelize::objection(spec.model, spec.job, it)) return kForever;
  return estimate_strategy(spec, it, provider);
}

// The shortest time of any strategy with splits, on one pipeline stage.
Duration shortest(const plan::JobSpec& spec, plan::NetworkProvider& provider) {
  const std::size_t operators = spec.model.operators.size();
  Duration best = kForever;
  for (int tensor = 2; tensor <= provider.devices(); tensor *= 2) {
    parallelize::Strategy it = {.tensor = tensor, .data = provider.devices() / tensor};
    for (it.zero = 0; it.zero < 2; ++it.zero) {
      for (it.micro_batch = 1; it.micro_batch <= spec.job.batch; it.micro_batch *= 2) {
        for (std::size_t bits = 0; bits < std::size_t{1} << operators; ++bits) {
          it.splits.assign(operators, OperatorSplit::uniform);
          for (std::size_t op = 0; op < operators; ++op) {
            if ((bits >> op & 1) != 0) it.splits[op] = OperatorSplit::sample;
          }
          best = std::min(best, time_of(spec, it, provider));
        }
      }
    }
  }
  return best;
}

TEST(Splits, TheSearchFindsNearlyTheBestOfAllSplitsOfSmallModels) {
  constexpr int kJobs = 24;
  double sum = 0;
  double largest = 0;
  for (std::uint64_t seed = 0; seed < kJobs; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random = random_stream(seed, 74);
    const plan::JobSpec spec = random_spec(random);
    const auto network = std::make_shared<fabric::Network>(fabric::fabric_of(
        fmt::format("kind: switch, bandwidth: {} Gbps, latency: 1 us", 10 << random(6)), 4));
    plan::FixedNetworkProvider provider(network, std::nullopt);
    const plan::StrategySearch uniform = search_strategies(spec, provider, {.threads = 1});
    const plan::StrategySearch found = search_splits(spec, provider, uniform, {.threads = 1});
    ASSERT_FALSE(found.ranking.empty());
    const double best = seconds(shortest(spec, provider));
    const double gap =
        seconds(std::min(found.ranking.front().predicted, uniform.ranking.front().predicted)) /
            best -
        1;
    sum += std::max(0.0, gap);
    largest = std::max(largest, gap);
  }
  fmt::print("{} jobs: mean {:.2f} %, largest {:.1f} % above the best of all splits\n", kJobs,
             100 * sum / kJobs, 100 * largest);
  EXPECT_LE(sum / kJobs, 0.01);
  EXPECT_LE(largest, 0.1);
}

}  // namespace
}  // namespace loom
