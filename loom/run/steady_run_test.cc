// Iteration times of runs with steady and unsteady iterations.
#include "loom/run/steady_run.h"

#include <gtest/gtest.h>

#include "loom/run/run.h"

namespace loom::run {
namespace {

// One operation per iteration, ending at these times.
IterationTime time_of(const std::vector<Duration>& ends) {
  place::LoweredJob job;
  job.iterations = static_cast<int>(ends.size());
  std::vector<TimePoint> operation_end;
  for (const Duration end : ends) {
    job.tags.push_back({.iteration = static_cast<std::int16_t>(job.tags.size())});
    operation_end.emplace_back(end);
  }
  return iteration_time(job, operation_end);
}

TEST(SteadyRun, OfSteadyIterationsTheLastCounts) {
  const IterationTime time = time_of({5_ms, 15_ms, 25_ms});
  EXPECT_TRUE(time.steady);
  EXPECT_EQ(time.time, 10_ms);
}

TEST(SteadyRun, OfUnsteadyIterationsTheMeanOfTheSecondHalfCounts) {
  const IterationTime time = time_of({10_ms, 20_ms, 30_ms, 44_ms});
  EXPECT_FALSE(time.steady);
  EXPECT_EQ(time.time, 12_ms);
  EXPECT_NEAR(time.variation, 4.0 / 14, 1e-9);
}

TEST(SteadyRun, OfTwoIterationsTheLastCounts) {
  EXPECT_EQ(time_of({10_ms, 30_ms}).time, 20_ms);
  EXPECT_EQ(time_of({10_ms}).time, 10_ms);
}

Report report_of(const std::string& more, const std::string& top = "") {
  const std::string text =
      "workload: {model: transformer, layers: 4, hidden: 256, heads: 8, vocabulary: 1024, "
      "sequence: 64, batch: 16, data: 1, tensor: 2, pipeline: 4, micro_batch: 1, interleave: 1" +
      more +
      "}\ngpus: 8\naccelerator: a100\nfabric: {kind: switch, bandwidth: 100 Gbps, latency: " +
      "2 us}\n" + top;
  Report report = run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
  EXPECT_FALSE(report.infeasible);
  return report;
}

TEST(SteadyRun, IterationsThatTheUserChoseAreNotExtended) {
  EXPECT_EQ(report_of(", iterations: 3").as<TrainingReport>()->iterations, 3);
}

TEST(SteadyRun, MoreIterationsThanMessagesAllowAreNotSimulated) {
  const Report report = report_of("", "max_messages: 1\nengine: fluid\n");
  EXPECT_EQ(report.as<TrainingReport>()->iterations, 2);
}

TEST(SteadyRun, AFilledPipelineIsSteadyAfterAFewIterations) {
  const Report report = report_of("");
  const auto* job = report.as<TrainingReport>();
  EXPECT_EQ(job->iteration_variation, 0);
  EXPECT_EQ(report_of(", iterations: 12").as<TrainingReport>()->iteration_time.count() / 100'000,
            job->iteration_time.count() / 100'000);
}

TEST(SteadyRun, AJobWithTooManyMessagesIsEstimated) {
  const Report report = report_of("", "max_messages: 1\n");
  EXPECT_EQ(report.engine_name(), "coarse");
  EXPECT_EQ(report_of("").engine_name(), "fluid");
}

}  // namespace
}  // namespace loom::run
