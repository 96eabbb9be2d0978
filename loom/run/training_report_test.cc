// A training job from its scenario to its report.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/files.h"
#include "loom/run/run.h"
#include "loom/scenario/job_settings.h"

namespace loom::run {
namespace {

const std::string kModel =
    "model: transformer, layers: 4, hidden: 256, heads: 8, vocabulary: 1024, sequence: 64, batch: "
    "16";

Report run_job(const std::string& more, const std::string& top = "") {
  const std::string text = "workload: {" + kModel + more +
                           "}\ngpus: 8\naccelerator: a100\nfabric: {kind: cluster, "
                           "gpus_per_server: 4, bandwidth: 100 Gbps, latency: 2 us, "
                           "inside_bandwidth: 2 Tbps, inside_latency: 1 us}\n" +
                           top;
  return run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
}

void expect_adds_up(const TrainingReport& job) {
  const Explanation& it = job.explanation;
  EXPECT_EQ(it.to - it.from, job.iteration_time);
  ASSERT_EQ(it.stages.size(), static_cast<std::size_t>(job.strategy.pipeline));
  for (const StageTime& stage : it.stages) {
    Duration sum{0};
    for (const TimeShare& share : stage.shares) sum += share.time;
    EXPECT_EQ(sum, job.iteration_time) << "stage " << stage.stage;
  }
  TimePoint at = it.from;
  for (const PathSegment& segment : it.path) {
    EXPECT_EQ(segment.from, at);
    at = segment.to;
  }
  EXPECT_EQ(at, it.to);
}

TEST(Job, ItsTimeIsExplainedByBothEnginesAndWithJitter) {
  for (const std::string top : {"engine: fluid\n", "engine: coarse\n",
                                "engine: fluid\njitter: 0.1\n", "engine: coarse\njitter: 0.1\n"}) {
    for (const std::string strategy :
         {"", ", tensor: 2, pipeline: 2, micro_batch: 1", ", data: 8, zero: 3",
          ", pipeline: 4, interleave: 1, schedule: gpipe"}) {
      SCOPED_TRACE(top + strategy);
      const Report result = run_job(strategy, top);
      ASSERT_TRUE(result.as<TrainingReport>() != nullptr);
      EXPECT_FALSE(result.infeasible);
      EXPECT_EQ(result.time(), result.as<TrainingReport>()->iteration_time);
      expect_adds_up(*result.as<TrainingReport>());
    }
  }
}

// Four layers with two collectives each per direction and pass, sequence parallel over two ranks.
TEST(Job, ItListsTheAlgorithmsOfItsCollectives) {
  const Report result = run_job(", tensor: 2, pipeline: 1, micro_batch: 4, algorithm: ring");
  const TrainingReport& job = *result.as<TrainingReport>();
  std::vector<std::string> listed;
  for (const JobAlgorithm& it : job.algorithms) {
    listed.push_back(
        fmt::format("{} {} of {} by {}", place::kPurposeNames[static_cast<std::size_t>(it.purpose)],
                    name_of(it.collective.kind), it.ranks, name_of(it.collective.algorithm)));
    EXPECT_GT(it.count, 0);
    EXPECT_GT(it.collective.size.count, 0);
  }
  std::sort(listed.begin(), listed.end());
  EXPECT_EQ(listed, (std::vector<std::string>{
                        "data all_gather of 4 by ring", "data reduce_scatter of 4 by ring",
                        "tensor all_gather of 2 by ring", "tensor reduce_scatter of 2 by ring"}));
}

// The backward pass waits for tensor parallelism, and only the end of the iteration for gradients.
TEST(Job, GradientsWithMoreWeightDelayTheBackwardPass) {
  const auto time_of = [](const std::string& weights) {
    const std::string text =
        "workload: {model: transformer, layers: 8, hidden: 1024, heads: 8, vocabulary: 1024, "
        "sequence: 512, batch: 16, tensor: 2, pipeline: 1, micro_batch: 4, bucket: 1 KB" +
        weights +
        "}\ngpus: 8\naccelerator: a100\n"
        "fabric: {kind: switch, bandwidth: 100 Gbps, latency: 1 us}\n";
    return run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front()).time();
  };
  const Duration fair = time_of("");
  EXPECT_EQ(time_of(", traffic_weights: \"data=1\""), fair);
  EXPECT_LE(seconds(time_of(", traffic_weights: \"tensor=100\"")), 1.001 * seconds(fair));
  EXPECT_GT(seconds(time_of(", traffic_weights: \"data=100\"")), 1.05 * seconds(fair));
}

TEST(Job, TrafficWeightsNeedWeightedSharing) {
  const std::string weights = ", traffic_weights: tensor=8";
  EXPECT_EQ(run_job(weights, "sharing: weighted\n").time(), run_job(weights).time());
  for (const std::string wrong : {"tensor", "tensor=", "tensor=0", "tensor=10001", "compute=2"}) {
    EXPECT_THROW(run_job(", traffic_weights: " + wrong), InputError) << wrong;
  }
  EXPECT_THROW(run_job(weights, "sharing: fair\n"), InputError);
}

TEST(Job, ItsRatesFollowFromItsTime) {
  const TrainingReport job = *run_job("").as<TrainingReport>();
  const double elapsed = seconds(job.iteration_time);
  EXPECT_DOUBLE_EQ(job.samples_per_second, 16 / elapsed);
  EXPECT_DOUBLE_EQ(job.tokens_per_second, 16 * 64 / elapsed);
  EXPECT_GT(job.model_flops_share, 0);
  EXPECT_LT(job.model_flops_share, 1);
  EXPECT_DOUBLE_EQ(job.flops_per_device, job.model_flops_share * 312e12);
}

// All operators of one device in a picosecond each, one by one and partitioned.
TEST(Job, MeasuredTimesAboveThePeakAreRefused) {
  const std::string times = ::testing::TempDir() + "too_fast.csv";
  write_file(times, "operator,pass,time\n*,forward,1 ps\n*,backward,1 ps\n");
  for (const std::string partition : {"tensor: 1", "partition: operators, group: 2"}) {
    const std::string text = fmt::format(
        "workload: {{model: vgg-16, batch: 64, {}, kernel_times: {}}}\ngpus: 2\naccelerator: a100\n"
        "fabric: {{kind: switch, bandwidth: 100 Tbps}}\n",
        partition, times);
    const auto scenario = scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front();
    try {
      run(scenario);
      FAIL() << partition;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("times as fast as its peak"), std::string::npos);
    }
  }
}

TEST(Job, AGivenStrategyIsUsed) {
  const parallelize::Strategy it =
      run_job(", tensor: 2, pipeline: 2, micro_batch: 2, zero: 2, recompute: full, interleave: 2")
          .as<TrainingReport>()
          ->strategy;
  EXPECT_EQ(to_text(it),
            "tensor 2, pipeline 2, data 2, micro-batch 2, interleaved 2, zero 2, sequence "
            "parallel, full recomputation");
}

TEST(Job, ABatchCanBeGivenPerDevice) {
  const auto batch = [](const std::string& given) {
    return run(scenario::read_scenarios(
                   parse_yaml("workload: {model: ncf" + given +
                                  "}\ngpus: 4\naccelerator: a100\n"
                                  "fabric: {kind: switch, bandwidth: 1 Gbps}\n",
                              "s.yaml"),
                   {})
                   .front())
        .as<TrainingReport>()
        ->batch;
  };
  EXPECT_EQ(batch(""), 4);
  EXPECT_EQ(batch(", batch_per_device: 8"), 32);
  EXPECT_EQ(batch(", batch: 12"), 12);
}

// Partitioning all operators by sample is data parallelism; by parameter, more is sent.
TEST(Job, ManualPartitionsAreUsed) {
  const std::string operators = ", partition: operators, group: 8, manual_partitions: ";
  const Report samples = run_job(operators + "\"*=sample/8\"");
  const Report parameters = run_job(operators + "\"*.up=parameter/8, *=sample/8\"");
  ASSERT_FALSE(samples.infeasible);
  ASSERT_FALSE(parameters.infeasible);
  EXPECT_NE(samples.outcome.bytes, parameters.outcome.bytes);
  EXPECT_LT(parameters.as<TrainingReport>()->memory.weights,
            samples.as<TrainingReport>()->memory.weights);
}

TEST(Job, AnOrderIsInnermostFirstAndMissingDimensionsFollow) {
  const parallelize::Strategy it =
      run_job(", tensor: 2, data: 4, order: \"data, tensor\"").as<TrainingReport>()->strategy;
  EXPECT_EQ(it.order, (std::array{parallelize::Dimension::data, parallelize::Dimension::tensor,
                                  parallelize::Dimension::context, parallelize::Dimension::expert,
                                  parallelize::Dimension::pipeline}));
}

TEST(Job, AJobThatDoesNotFitIsReportedWithItsMemoryComponents) {
  const std::string text =
      "workload: {" + kModel +
      ", tensor: 1, pipeline: 1, zero: 0, recompute: none, micro_batch: 1}\ngpus: 2\naccelerator: "
      "{base: a100, memory: 10 MB, memory_reserve: 0 B}\nfabric: {kind: switch, bandwidth: 1 "
      "Gbps}\n";
  const Report result = run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
  ASSERT_TRUE(result.infeasible);
  EXPECT_EQ(
      result.infeasible->why,
      "transformer does not fit: with data 2, micro-batch 1 a device of stage 0 needs 64.82 MB "
      "(weights 6.843 MB, gradients 13.69 MB, optimizer 41.06 MB, activations 3.228 MB); "
      "a100 has 10.00 MB");
}

}  // namespace
}  // namespace loom::run
