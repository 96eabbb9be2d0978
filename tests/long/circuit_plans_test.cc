// Plans on circuits against the best over all circuits and strategies of small fabrics, and on more
// hardware, which must not make them slower. Prints every case that is more than 1 % off.
#include "tests/circuit_plans.h"

#include <mutex>

#include "loom/base/parallel.h"

namespace loom {
namespace {

// Each plan is at most 5 % above the best, and 1 % on average.
void compare_with_all_circuits(int gpus, int ports, std::size_t cases) {
  std::vector<double> regrets(cases);
  std::mutex printing;
  for_each_index(cases, 0, [&](std::size_t i) {
    const SmallCase it = small_case(i, gpus, ports);
    regrets[i] = it.regret();
    EXPECT_LE(it.regret(), 0.05) << "seed " << it.seed << ": " << it.text;
    if (it.regret() <= 0.01) return;
    const std::lock_guard lock(printing);
    fmt::print("seed {}: {:.1f} % above the best: {}; {} instead of {}\n", it.seed,
               100 * it.regret(), it.text, it.found.strategy, it.best.strategy);
  });
  std::sort(regrets.begin(), regrets.end());
  const double mean =
      std::accumulate(regrets.begin(), regrets.end(), 0.0) / static_cast<double>(cases);
  EXPECT_LE(mean, 0.01);
  fmt::print("{} devices, {} ports, {} jobs: mean {:.2f} %, largest {:.2f} %\n", gpus, ports, cases,
             100 * mean, 100 * regrets.back());
}

TEST(CircuitPlans, OfFourDevicesAreNearTheBestOfAllCircuits) {
  for (const int ports : {1, 2, 3}) compare_with_all_circuits(4, ports, 8);
}

// Planes of circuit switches can set up the same circuits as circuit switches.
TEST(CircuitPlans, SwitchesAndPlanesOfEqualNumberGetEqualPlansOnLargeClusters) {
  for (const int gpus : {64, 128}) {
    for (const int gbps : {400, 1600}) {
      for (const std::string job :
           {"model: llama3-8b, batch: 64", "model: mixtral-8x7b, batch: 64",
            "model: gpt2-1.5b, batch: 64", "model: transformer-big, batch: 256",
            "model: bert-large, batch: 256", "model: vgg-16, batch: 512, partition: auto",
            "model: dlrm, batch: 4096"}) {
        const auto report = [&](const std::string& kind) {
          const std::string fabric =
              fmt::format("{}: 8, bandwidth: {} Gbps, latency: 1 us", kind, gbps);
          return run::run(circuit_scenario(job, gpus, fabric));
        };
        const run::Report switches = report("kind: sip_ocs, switches");
        const run::Report planes = report("kind: topoopt, planes: ocs, degree");
        ASSERT_EQ(switches.infeasible.has_value(), planes.infeasible.has_value()) << job;
        EXPECT_NEAR(seconds(switches.time()) / seconds(planes.time()), 1, 0.01)
            << fmt::format("{} on {} GPUs at {} Gbps", job, gpus, gbps);
      }
    }
  }
}

// Of random jobs on random fabrics, how many plans get slower by more than 1 %, and by how much.
TEST(CircuitPlans, MoreHardwareIsRarelySlower) {
  constexpr std::size_t kCases = 300;
  std::mutex printing;
  int compared = 0;
  int slower = 0;
  int faster = 0;
  double worst = 0;
  for_each_index(kCases, 0, [&](std::size_t seed) {
    const GrowingCase it = growing_case(seed);
    const auto slowdown = slowdown_of_more(it);
    if (!slowdown) return;
    const std::lock_guard lock(printing);
    ++compared;
    worst = std::max(worst, *slowdown);
    faster += *slowdown < -0.01 ? 1 : 0;
    if (*slowdown <= 0.01) return;
    ++slower;
    fmt::print("seed {}: more {}: {:.1f} % slower: {}, {} GPUs\n  {}\n  {}\n", seed, it.what,
               100 * *slowdown, it.job, it.gpus, it.less, it.more);
  });
  fmt::print(
      "more hardware: of {} plans {} are more than 1 % faster, {} slower, by {:.1f} % at most\n",
      compared, faster, slower, 100 * worst);
  EXPECT_GE(compared, 250);
  EXPECT_GE(faster, compared / 3);  // else the jobs hardly communicate
  EXPECT_LE(slower, compared / 100);
  EXPECT_LE(worst, 0.05);
}

}  // namespace
}  // namespace loom
