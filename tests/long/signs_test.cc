// Changes that must not make a plan slower, for random jobs with everything searched: more
// bandwidth, less oversubscription, an ideal switch in place of another fabric, overlap, and a
// choice instead of a given strategy. On fabrics without circuits: circuits are planned by rules,
// and a larger fabric may be planned worse.
#include "loom/base/parallel.h"
#include "tests/long/random_scenarios.h"

namespace loom {
namespace {

constexpr std::size_t kJobs = 300;

// A random job on a random fabric.
struct SignCase {
  std::size_t seed = 0;
  Random random;
  RandomTraining job;
  RandomFabric fabric;
  int bandwidth = 0;  // Gbps

  SignCase(std::size_t number, std::size_t fabric_index, bool circuits)
      : seed(number), random(random_stream(number, 29)), job(random_training(random)) {
    const std::vector<RandomFabric> fabrics =
        circuits ? circuit_fabrics() : packet_fabrics(job.gpus);
    const auto any = random(static_cast<std::uint32_t>(fabrics.size()));
    fabric = fabrics[fabric_index == SIZE_MAX ? any : fabric_index];
    bandwidth = 50 << random(5);
  }

  std::string text(int gbps, double oversubscription = 1, const std::string& more = "") const {
    return fmt::format("# seed {}\n", seed) +
           scenario_text(job, fabric_text(fabric, gbps, oversubscription), more);
  }
};

double variation(const run::Report& report) {
  return report.as<run::TrainingReport>()->iteration_variation;
}

// The faster run may exceed the slower by nothing but `tolerance`, and by as much as the iterations
// of either vary.
void expect_no_slower(const std::string& better, const std::string& worse,
                      double tolerance = 0.01) {
  const auto slow = report_of(worse);
  if (!slow) return;
  const auto fast = report_of(better);
  ASSERT_TRUE(fast.has_value()) << better;
  tolerance += variation(*fast) + variation(*slow);
  EXPECT_LE(seconds(fast->time()), seconds(slow->time()) * (1 + tolerance))
      << better << strategy_text(*fast->as<run::TrainingReport>()) << "\nis slower than\n"
      << worse << strategy_text(*slow->as<run::TrainingReport>());
}

template <class Check>
void for_jobs(const Check& check, std::size_t fabric = SIZE_MAX, bool circuits = false) {
  for_each_index(kJobs, 0, [&](std::size_t seed) { check(SignCase(seed, fabric, circuits)); });
}

TEST(Signs, TwiceTheBandwidthIsNoSlowerOnAnyFabric) {
  for_jobs([](const SignCase& it) {
    expect_no_slower(it.text(2 * it.bandwidth), it.text(it.bandwidth));
  });
}

TEST(Signs, LessOversubscriptionIsNoSlowerForAnyJob) {
  for (const std::size_t fabric : {1, 2}) {
    for_jobs(
        [](const SignCase& it) {
          expect_no_slower(it.text(it.bandwidth, 1), it.text(it.bandwidth, 2));
          expect_no_slower(it.text(it.bandwidth, 2), it.text(it.bandwidth, 4));
        },
        fabric);
  }
}

TEST(Signs, NoFabricBeatsAnIdealSwitchOfTheSameBandwidth) {
  const auto check = [](const SignCase& it) {
    const int egress = it.fabric.links * it.bandwidth;
    const std::string ideal =
        scenario_text(it.job, fmt::format("kind: switch, bandwidth: {} Gbps", egress));
    expect_no_slower(ideal, it.text(it.bandwidth));
  };
  for_jobs(check);
  for_jobs(check, SIZE_MAX, true);
}

TEST(Signs, OverlapIsNoSlowerThanWaitingForAnyJob) {
  for_jobs([](const SignCase& it) {
    expect_no_slower(it.text(it.bandwidth), it.text(it.bandwidth, 1, ", overlap_gradients: false"));
    expect_no_slower(it.text(it.bandwidth), it.text(it.bandwidth, 1, ", overlap_pipeline: false"));
  });
}

// Twenty strategies and algorithms given by hand.
TEST(Signs, NoStrategyGivenByHandBeatsTheSearch) {
  const std::vector<std::string> given = {
      "tensor: 1, pipeline: 1",
      "tensor: 2, pipeline: 1",
      "tensor: 4, pipeline: 1",
      "tensor: 1, pipeline: 2",
      "tensor: 1, pipeline: 4",
      "tensor: 2, pipeline: 2",
      "tensor: 1, pipeline: 2, interleave: 1",
      "tensor: 1, pipeline: 1, micro_batch: 1",
      "tensor: 2, pipeline: 1, micro_batch: 2",
      "tensor: 1, pipeline: 1, recompute: full",
      "algorithm: ring",
      "algorithm: bidirectional_ring",
      "algorithm: direct",
      "algorithm: halving_doubling",
      "algorithm: double_binary_tree",
      "tensor: 1, pipeline: 1, algorithm: ring",
      "tensor: 1, pipeline: 2, algorithm: ring",
      "tensor: 2, pipeline: 2, algorithm: direct",
      "order: \"data,tensor,pipeline\"",
      "order: \"pipeline,data,tensor\"",
  };
  for_each_index(kJobs / 3, 0, [&](std::size_t seed) {
    const SignCase it(seed + 1000, SIZE_MAX, false);
    const auto chosen = report_of(it.text(it.bandwidth));
    if (!chosen) return;
    for (const std::string& by_hand : given) {
      const std::string text = it.text(it.bandwidth, 1, ", " + by_hand);
      const auto other = report_of(text);
      if (!other) continue;
      EXPECT_LE(seconds(chosen->time()), seconds(other->time()) * 1.02)
          << text << strategy_text(*chosen->as<run::TrainingReport>()) << "\nis slower than\n"
          << strategy_text(*other->as<run::TrainingReport>());
    }
  });
}

}  // namespace
}  // namespace loom
