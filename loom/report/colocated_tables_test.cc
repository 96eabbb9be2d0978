// Jobs that share a cluster, from scenario to tables.
#include "loom/report/colocated_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "loom/report/compare_tables.h"
#include "loom/report/tables.h"
#include "loom/run/plan_colocated.h"

namespace loom::report {
namespace {

const std::string kSmall =
    "model: transformer, layers: 2, hidden: 256, heads: 8, vocabulary: 1024, sequence: 64";

std::string jobs_on(const std::string& fabric, const std::string& more = "") {
  return "jobs:\n  - {" + kSmall +
         ", batch: 16, gpus: 4, count: 2, tensor: 1, pipeline: 1}\n  - {" + kSmall +
         ", batch: 64, gpus: 8, tensor: 1, pipeline: 1, name: large, start: 1 ms}\n" +
         "gpus: 16\naccelerator: a100\niterations: 3\nfabric: {" + fabric + "}\n" + more;
}

const std::string kIdeal = "kind: switch, bandwidth: 100 Gbps, latency: 1 us";
const std::string kOversubscribed =
    "kind: leaf_spine, gpus_per_leaf: 2, spines: 1, oversubscription: 4, bandwidth: 100 Gbps, "
    "latency: 1 us";

std::vector<scenario::Scenario> scenarios(const std::string& yaml) {
  return scenario::read_scenarios(parse_yaml(yaml, "s.yaml"), {});
}

run::Report result_of(const std::string& yaml) { return run::run(scenarios(yaml).front()); }

TEST(JobsStudy, EveryJobHasItsNameDevicesAndTimes) {
  const run::Report result = result_of(jobs_on(kIdeal));
  ASSERT_TRUE(result.as<run::ColocatedReport>() != nullptr);
  const std::vector<run::SharedJob>& jobs = result.as<run::ColocatedReport>()->jobs;
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].name, "transformer/1");
  EXPECT_EQ(jobs[1].name, "transformer/2");
  EXPECT_EQ(jobs[2].name, "large");
  EXPECT_EQ(jobs[1].devices, (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(jobs[2].start, Duration(1'000'000'000));
  EXPECT_GE(jobs[0].times.size(), 2U);
  EXPECT_EQ(result.engine, scenario::Engine::fluid);
  EXPECT_EQ(result.time(), result.as<run::ColocatedReport>()->spread.mean);
}

TEST(JobsStudy, OnlyIterationsCountThatEndWhileAllJobsRun) {
  const std::string yaml = jobs_on(kOversubscribed, "placement: spread\nkeep_running: false\n");
  const std::vector<run::SharedJob> jobs = result_of(yaml).as<run::ColocatedReport>()->jobs;
  Duration first_end = kForever;
  for (const run::SharedJob& it : jobs) first_end = std::min(first_end, it.end);
  bool left_out = false;
  for (const run::SharedJob& it : jobs) {
    ASSERT_EQ(it.times.size(), 3U);
    Duration end = it.start;
    for (std::size_t i = 0; i < it.times.size(); ++i) {
      end += it.times[i];
      EXPECT_EQ(i < it.counted, i == 0 || end <= first_end) << it.name << ", iteration " << i;
    }
    EXPECT_EQ(end, it.end);
    left_out = left_out || it.counted < it.times.size();
  }
  EXPECT_TRUE(left_out);
}

TEST(JobsStudy, AJobWhoseNeighborsEndEarlySaysSo) {
  const std::string yaml =
      "jobs:\n  - {" + kSmall + ", batch: 4, gpus: 4, tensor: 1, pipeline: 1, name: short}\n  - {" +
      kSmall + ", batch: 1024, gpus: 4, tensor: 1, pipeline: 1, name: long}\n" +
      "gpus: 8\naccelerator: a100\niterations: 1\nkeep_running: false\nfabric: {" + kIdeal + "}\n";
  const run::Report report = result_of(yaml);
  const auto& result = *report.as<run::ColocatedReport>();
  EXPECT_EQ(result.jobs[0].together, 1);
  const run::SharedJob& long_job = result.jobs[1];
  EXPECT_DOUBLE_EQ(long_job.together,
                   seconds(result.jobs[0].end) / seconds(long_job.times.front()));
  EXPECT_NE(jobs_text(result).find("long: a shorter job ended after"), std::string::npos);
  EXPECT_EQ(jobs_text(result).find("short: "), std::string::npos);
}

TEST(JobsStudy, AJobThatStartsAfterAnotherHasEndedNeverRunsTogetherWithIt) {
  const std::string yaml =
      "jobs:\n  - {" + kSmall + ", batch: 4, gpus: 4, tensor: 1, pipeline: 1}\n  - {" + kSmall +
      ", batch: 4, gpus: 4, tensor: 1, pipeline: 1, start: 10 s}\n" +
      "gpus: 8\naccelerator: a100\niterations: 1\nkeep_running: false\nfabric: {" + kIdeal + "}\n";
  EXPECT_EQ(result_of(yaml).as<run::ColocatedReport>()->jobs[1].together, 0);
}

TEST(JobsStudy, JobsAreSlowedDownOnlyIfTheyShareLinks) {
  const run::Report ideal = result_of(jobs_on(kIdeal, "placement: spread\n"));
  for (const run::SharedJob& it : ideal.as<run::ColocatedReport>()->jobs)
    EXPECT_EQ(it.slowdown(), 1.0) << it.name;
  EXPECT_EQ(ideal.as<run::ColocatedReport>()->mean_slowdown, 1.0);
  const run::Report oversubscribed = result_of(jobs_on(kOversubscribed, "placement: spread\n"));
  for (const run::SharedJob& it : oversubscribed.as<run::ColocatedReport>()->jobs)
    EXPECT_GT(it.slowdown(), 1.01) << it.name;
}

// The only job of a list runs like the same job as a workload.
TEST(JobsStudy, AnIsolatedJobTakesAsLongAsItsWorkload) {
  const std::string job = kSmall + ", batch: 64";
  const std::string rest = "gpus: 8\naccelerator: a100\nfabric: {" + kOversubscribed + "}\n";
  const run::Report one = result_of("jobs: [{" + job + ", gpus: 8}]\niterations: 2\n" + rest);
  const run::Report plain = result_of("workload: {" + job + "}\n" + rest);
  EXPECT_EQ(one.time(), plain.time());
  EXPECT_EQ(one.outcome.completion_time, plain.outcome.completion_time);
  EXPECT_EQ(one.outcome.bytes, plain.outcome.bytes);
  EXPECT_EQ(to_text(one.as<run::ColocatedReport>()->jobs.front().strategy),
            to_text(plain.as<run::TrainingReport>()->strategy));
}

TEST(JobsStudy, CircuitsAreProvisionedForEachJob) {
  const std::string circuits = "kind: sip_ocs, switches: 4, bandwidth: 100 Gbps, latency: 1 us";
  const run::Report result = result_of(jobs_on(circuits, "placement: random\n"));
  ASSERT_FALSE(result.infeasible) << result.infeasible->why;
  for (const run::SharedJob& it : result.as<run::ColocatedReport>()->jobs)
    EXPECT_EQ(it.slowdown(), 1.0) << it.name;
  ASSERT_TRUE(result.circuits.has_value());
  EXPECT_GT(result.circuits->circuits, 0);
}

TEST(JobsStudy, ListsInsideAJobAreAxes) {
  const auto points = scenarios(
      "jobs: [{model: vgg-16, gpus: 4, batch: [64, 128]}, {model: resnet-50, gpus: [2, 4]}]\n"
      "gpus: 8\naccelerator: a100\nplacement: [packed, random]\nfabric: {" +
      kIdeal + "}\n");
  ASSERT_EQ(points.size(), 8U);
  using Axes = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(points[3].axes,
            (Axes{{"jobs.0.batch", "64"}, {"jobs.1.gpus", "4"}, {"placement", "random"}}));
  EXPECT_EQ(points[3].as<scenario::ColocatedWork>()->jobs[1].own.integer("gpus"), 4);
}

TEST(JobsStudy, AComparisonShowsMeanTailAndSlowest) {
  const auto results =
      run::run_all(scenarios(jobs_on(kOversubscribed, "placement: [packed, spread]\n")), {});
  const Table table = compare_table(results);
  EXPECT_EQ(table.columns,
            (std::vector<std::string>{"fabric", "placement", "p99_iteration_time", "slowest_job",
                                      "mean_slowdown", "worst_slowdown", "mean_iteration_time",
                                      "gap_of_run", "versus_best"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(std::get<Duration>(table.rows[0][6]), results[0].time());
  EXPECT_GT(std::get<double>(table.rows[1][8]), 1.0);
}

TEST(JobsStudy, TheGapInAComparisonIsNamedAsThatOfTheWholeRun) {
  const auto results =
      run::run_all(scenarios(jobs_on("kind: topoopt, degree: 4, bandwidth: 100 Gbps")), {});
  const Table table = compare_table(results);
  EXPECT_EQ(std::count(table.columns.begin(), table.columns.end(), "gap"), 0);
  const auto column = std::find(table.columns.begin(), table.columns.end(), "gap_of_run");
  ASSERT_NE(column, table.columns.end());
  ASSERT_TRUE(results[0].bound);
  const Duration bound = results[0].bound->time();
  EXPECT_EQ(std::get<double>(table.rows[0][column - table.columns.begin()]),
            run::gap(results[0].outcome.completion_time, bound));
  EXPECT_LE(bound, results[0].outcome.completion_time);
  EXPECT_GT(bound, 2 * results[0].time());  // three iterations
}

TEST(JobsStudy, JsonHasEveryIteration) {
  const run::Report result = result_of(jobs_on(kIdeal));
  const nlohmann::ordered_json json = report_json(result);
  ASSERT_EQ(json["each_job"].size(), 3U);
  EXPECT_EQ(json["each_job"][2]["devices"], "8-15");
  EXPECT_EQ(json["each_job"][2]["iteration_times"].size(),
            result.as<run::ColocatedReport>()->jobs[2].times.size());
  EXPECT_EQ(json["mean_iteration_time"], result.time().count());
  EXPECT_EQ(jobs_table(*result.as<run::ColocatedReport>()).rows.size(), 3U);
}

TEST(JobsStudy, OperationNamesContainTheirJob) {
  const run::Plan plan = run::plan_or_refuse(scenarios(jobs_on(kIdeal)).front(), {}, {});
  const std::vector<std::string> names = operation_names(*plan.as<run::ColocatedPlan>());
  ASSERT_EQ(names.size(), plan.workload.operations.size());
  EXPECT_TRUE(names.front().starts_with("j0.i0."));
  EXPECT_TRUE(names.back().starts_with("j2."));
}

TEST(JobsStudy, FoldingAndThreadsChangeNothing) {
  for (const std::string placement : {"packed", "random", "spread"}) {
    const std::string yaml = jobs_on(kOversubscribed, "placement: " + placement + "\nseed: 3\n");
    const std::string plain = report_json(result_of(yaml)).dump();
    EXPECT_EQ(report_json(result_of(yaml + "folding: false\n")).dump(), plain) << placement;
    run::RunOptions options;
    options.threads = 1;
    EXPECT_EQ(report_json(run::run(scenarios(yaml).front(), options)).dump(), plain) << placement;
  }
}

}  // namespace
}  // namespace loom::report
