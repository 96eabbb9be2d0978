// One experiment from scenario to report, without the command line.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "loom/report/compare_tables.h"
#include "loom/report/job_tables.h"
#include "loom/run/run.h"
#include "loom/run/trace/trace.h"

namespace loom::report {
namespace {

std::vector<scenario::Scenario> scenarios(const std::string& yaml) {
  return scenario::read_scenarios(parse_yaml(yaml, "s.yaml"), {});
}

std::string with_workload(const std::string& workload) {
  return "workload: {" + workload + "}\ngpus: 4\nfabric: {kind: switch, bandwidth: 8 Gbps}\n";
}

TEST(Run, ARingTakesTheTimeOfItsClosedForm) {
  const run::Report result = run::run(
      scenarios(with_workload("collective: all_reduce, size: 4 GB, algorithm: ring")).front());
  EXPECT_EQ(result.outcome.completion_time, Duration(6'000'000'000'000));
  EXPECT_EQ(result.devices, 4);
  EXPECT_EQ(result.as<run::CollectiveReport>()->ranks, 4);
  EXPECT_EQ(result.fabric(), "switch");
  ASSERT_EQ(result.busiest.size(), 8U);
  EXPECT_EQ(result.busiest[0].link, "0->switch");
  EXPECT_EQ(result.busiest[0].utilization, 1.0);
}

TEST(Run, UtilizationOfALinkThatChangesIsRelativeToItsMeanBandwidth) {
  const std::string pair =
      with_workload("collective: point_to_point, size: 1 GB, ranks: \"0,1\"") + "changes:\n";
  const run::Report slower =
      run::run(scenarios(pair + "  - {at: 500 ms, link: 0->switch, bandwidth: 4 Gbps}"
                                "\n  - {at: 2 s, link: 0->switch, bandwidth: 1 Gbps}\n")
                   .front());
  EXPECT_EQ(slower.outcome.completion_time, Duration(1'500'000'000'000));
  EXPECT_EQ(slower.busiest[0].link, "0->switch");
  EXPECT_DOUBLE_EQ(slower.busiest[0].utilization, 1.0);
  EXPECT_DOUBLE_EQ(slower.busiest[1].utilization, 1 / 1.5);
  const run::Report faster =
      run::run(scenarios(pair + "  - {at: 500 ms, link: 0->switch, bandwidth: 16 Gbps}\n"
                                "  - {at: 0 s, link: 0->switch, bandwidth: 32 Gbps}\n")
                   .front());
  EXPECT_EQ(faster.outcome.completion_time, Duration(1'000'000'000'000));
  EXPECT_DOUBLE_EQ(faster.busiest[0].utilization, 1.0);
  EXPECT_EQ(faster.busiest[1].link, "0->switch");
  EXPECT_DOUBLE_EQ(faster.busiest[1].utilization, 1.0 / 3);
}

run::Report run_job(const std::string& top) {
  return run::run(
      scenarios("workload: {model: transformer, layers: 4, hidden: 256, heads: 8, vocabulary: "
                "1024, sequence: 64, batch: 16}\ngpus: 8\naccelerator: a100\nfabric: {kind: "
                "cluster, gpus_per_server: 4, bandwidth: 100 Gbps, inside_bandwidth: 2 Tbps}\n" +
                top)
          .front());
}

TEST(Run, TheBestStrategyIsSimulatedOverLinksThatChange) {
  const run::TrainingReport still = *run_job("").as<run::TrainingReport>();
  const run::TrainingReport slowed =
      *run_job("changes: [{at: 0 s, link: 0->core, bandwidth: 100 Mbps}]\n")
           .as<run::TrainingReport>();
  EXPECT_EQ(still.search.ranking.front().simulated, still.iteration_time);
  EXPECT_EQ(slowed.search.ranking.front().simulated, slowed.iteration_time);
  EXPECT_GT(slowed.iteration_time, still.iteration_time);
  const std::string estimated = "estimated by the coarse engine, ";
  EXPECT_NE(
      search_text(still, 1).find(estimated + "the bounds of the others exceed the best estimate:"),
      std::string::npos);
  EXPECT_NE(search_text(slowed, 1).find(estimated + "without the link changes:"),
            std::string::npos);
}

TEST(Run, AComparisonNamesTheEngineThatRanAndTheGapToTheBound) {
  std::vector<run::Report> reports = {run_job("engine: coarse\n"), run_job("engine: auto\n")};
  const auto rows = to_json(compare_table(reports));
  EXPECT_EQ(rows[0]["engine"], "coarse, estimated");
  EXPECT_EQ(rows[1]["engine"], "fluid");
  for (std::size_t i = 0; i < reports.size(); ++i) {
    ASSERT_TRUE(reports[i].bound && reports[i].bound->any_strategy);
    EXPECT_EQ(rows[i]["gap"], run::gap(reports[i].time(), *reports[i].bound->any_strategy));
    EXPECT_GE(rows[i]["gap"], 1);
  }
}

TEST(Run, ACollectiveMayUseSomeOfTheDevices) {
  const run::Report result = run::run(
      scenarios(with_workload("collective: broadcast, size: 1 GB, algorithm: ring, ranks: \"3,1\""))
          .front());
  EXPECT_EQ(result.as<run::CollectiveReport>()->ranks, 2);
  EXPECT_EQ(result.busiest[0].link, "switch->1");
  EXPECT_EQ(result.busiest[1].link, "3->switch");
}

TEST(Run, AutoReportsWhatItConsidered) {
  const run::Report result =
      run::run(scenarios(with_workload("collective: all_reduce, size: 4 GB")).front());
  ASSERT_FALSE(result.as<run::CollectiveReport>()->considered.empty());
  EXPECT_EQ(result.as<run::CollectiveReport>()->considered.front().collective,
            result.as<run::CollectiveReport>()->collective);
}

TEST(Run, ManyPointsComeOutInOrderOnAnyNumberOfThreads) {
  const auto points = scenarios(with_workload(
      "collective: all_reduce, size: [1 MB, 2 MB, 3 MB, 4 MB, 5 MB], algorithm: ring"));
  const auto serial = run::run_all(points, {.threads = 1});
  const auto many = run::run_all(points, {.threads = 4});
  ASSERT_EQ(serial.size(), 5U);
  for (std::size_t i = 0; i < serial.size(); ++i) {
    EXPECT_EQ(serial[i].as<run::CollectiveReport>()->collective.size.count,
              static_cast<std::int64_t>(i + 1) * 1'000'000);
    EXPECT_EQ(serial[i].outcome.completion_time, many[i].outcome.completion_time);
  }
}

TEST(Run, TheFirstMistakeInOrderIsTheOneReported) {
  const auto points = scenarios(
      with_workload("collective: all_reduce, size: 1 MB, algorithm: ring, ranks: [0-3, 0-7, 0-9]"));
  for (const int threads : {1, 4}) {
    try {
      run::run_all(points, {.threads = threads});
      FAIL();
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), "s.yaml:1: workload.ranks is 0-7; devices from 0 to 3 are needed");
    }
  }
}

TEST(Run, ProgressEndsAtOne) {
  std::vector<double> fractions;
  run::RunOptions options;
  options.threads = 1;
  options.progress = [&](double fraction) { fractions.push_back(fraction); };
  run_all(scenarios(with_workload("collective: all_reduce, size: [1 MB, 2 MB]")), options);
  EXPECT_EQ(fractions, (std::vector<double>{0.5, 1.0}));
}

TEST(Replacements, AssignFilesToStages) {
  const std::vector<std::string> given = {"links=a.yaml", "trace=b=c.csv"};
  const run::Replacements replacements = run::parse_replacements(given);
  EXPECT_EQ(replacements.links, "a.yaml");
  EXPECT_EQ(replacements.trace, "b=c.csv");
  EXPECT_FALSE(replacements.workload);
}

std::vector<std::string> columns(const std::string& workload) {
  return compare_table(run::run_all(scenarios(with_workload(workload)), {.threads = 1})).columns;
}

using Names = std::vector<std::string>;

TEST(CompareTable, HasAColumnForEachAxisAndEachNameOnce) {
  EXPECT_EQ(columns("collective: all_reduce, size: [1 MB, 2 MB], algorithm: ring"),
            (Names{"fabric", "size", "algorithm", "algorithm_bandwidth", "bus_bandwidth",
                   "completion_time", "gap", "versus_best"}));
  EXPECT_EQ(columns("collective: all_reduce, size: 1 MB, algorithm: [auto, ring]"),
            (Names{"fabric", "algorithm", "algorithm_bandwidth", "bus_bandwidth", "completion_time",
                   "gap", "versus_best"}));
}

TEST(CompareTable, MarksTheRowsWhereAutoChose) {
  const auto results = run::run_all(
      scenarios(with_workload("collective: all_reduce, size: 1 MB, algorithm: [auto, ring]")),
      {.threads = 1});
  const auto rows = to_json(compare_table(results));
  EXPECT_EQ(rows[0]["algorithm"], "ring (auto)");
  EXPECT_EQ(rows[1]["algorithm"], "ring");
}

TEST(CompareTable, AxesOfAFabricAreColumnsToo) {
  const auto results = run::run_all(
      scenarios("workload: {collective: all_reduce, size: 1 MB, algorithm: ring}\ngpus: 4\n"
                "fabrics:\n"
                "  - {kind: cluster, gpus_per_server: 2, bandwidth: [1 Gbps, 2 Gbps], "
                "inside_bandwidth: [3 Gbps, 4 Gbps]}\n"),
      {.threads = 1});
  EXPECT_EQ(compare_table(results).columns,
            (Names{"fabric", "bandwidth", "inside_bandwidth", "algorithm", "algorithm_bandwidth",
                   "bus_bandwidth", "completion_time", "gap", "versus_best"}));
  EXPECT_EQ(compare_table(results).rows.size(), 4U);
}

workload::Workload two_operations() {
  workload::Workload workload;
  workload.devices = 3;
  workload.operations.resize(2);
  return workload;
}

TEST(Trace, AWrittenTraceReadsBackAsTheSameOutcome) {
  run::TraceWriter writer;
  writer.message({.operation = OperationId(1),
                  .source = DeviceId(0),
                  .destination = DeviceId(2),
                  .size = 5_B,
                  .start = TimePoint(1_ns),
                  .end = TimePoint(4_ns)});
  writer.compute({.operation = OperationId(0),
                  .device = DeviceId(1),
                  .start = TimePoint(2_ns),
                  .end = TimePoint(9_ns)});
  EXPECT_EQ(writer.text(),
            "operation,source,destination,size [B],start [ps],end [ps]\n"
            "1,0,2,5,1000,4000\n0,1,1,0,2000,9000\n");
  const simulate::Outcome outcome = run::read_trace(writer.text(), "t.csv", two_operations());
  EXPECT_EQ(outcome.completion_time, 9_ns);
  EXPECT_EQ(outcome.operation_end, (std::vector{TimePoint(9_ns), TimePoint(4_ns)}));
  EXPECT_EQ(outcome.messages, 1);
  EXPECT_EQ(outcome.bytes, 5_B);
}

TEST(Trace, BytesThatCannotBeCountedAreRefused) {
  std::string text = "operation,source,destination,size,start,end\n";
  for (int row = 0; row < 10'000; ++row) text += "0,0,1,1 PB,0 s,1 s\n";
  try {
    run::read_trace(text, "t.csv", two_operations());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "t.csv:9225: size is 1 PB; a total of at most 9223 PB is needed");
  }
}

}  // namespace
}  // namespace loom::report
