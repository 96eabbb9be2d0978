// Numbers of a report do not contradict each other, on random jobs and fabrics. run::run() itself
// checks links, devices and bounds.
#include "loom/base/parallel.h"
#include "tests/long/random_scenarios.h"

namespace loom {
namespace {

void expect_consistent(const run::Report& report, const std::string& text) {
  constexpr double kRounding = 1e-6;
  const auto& job = *report.as<run::TrainingReport>();
  const double time = seconds(job.iteration_time);
  const double completion = seconds(report.outcome.completion_time);
  EXPECT_GT(time, 0) << text;
  EXPECT_LE(time, completion * (1 + kRounding)) << text;
  EXPECT_LE(completion, (job.iterations + 2.0) * time * (1 + kRounding)) << text;
  EXPECT_LE(job.model_flops_share, 1) << text;
  for (const run::LinkUse& it : report.busiest) {
    EXPECT_LE(it.utilization, 1 + kRounding) << it.link << "\n" << text;
  }
  Duration sum{0};
  for (const run::TimeShare& it : job.explanation.stages[job.explanation.busiest].shares) {
    sum += it.time;
  }
  // Of iterations that differ, the mean is reported, and the last is explained.
  EXPECT_LE(seconds(sum), time * (1 + job.iteration_variation + kRounding)) << text;
  for (const plan::RankedStrategy& it : job.search.ranking) {
    if (it.predicted.count() > 0) {
      EXPECT_LE(seconds(it.bound), seconds(it.predicted) * 1.02) << text;
    }
    if (it.simulated.count() > 0) {
      EXPECT_LE(seconds(it.bound), seconds(it.simulated) * (1 + kRounding))
          << to_text(it.strategy) << "\n"
          << text;
    }
  }
}

TEST(Consistency, ReportsOfTwoThousandRandomScenariosDoNotContradictThemselves) {
  constexpr std::size_t kScenarios = 2000;
  std::vector<int> feasible(kScenarios, 0);
  for_each_index(kScenarios, 0, [&](std::size_t seed) {
    Random random = random_stream(seed, 23);
    const RandomTraining job = random_training(random);
    const std::vector<RandomFabric> fabrics = random_fabrics(job.gpus);
    const RandomFabric& fabric = fabrics[random(static_cast<std::uint32_t>(fabrics.size()))];
    const std::string text =
        fmt::format("# seed {}\n", seed) +
        scenario_text(job, fabric_text(fabric, 50 << random(6), 1 << random(3)));
    const auto report = report_of(text);
    if (!report) return;
    feasible[seed] = 1;
    expect_consistent(*report, text);
  });
  EXPECT_GT(std::count(feasible.begin(), feasible.end(), 1), 1500);
}

}  // namespace
}  // namespace loom
