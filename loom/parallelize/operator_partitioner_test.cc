// Shards of operators: together the whole operator, each with the inputs it needs.
#include "loom/parallelize/operator_partitioner.h"

#include "loom/base/testing.h"
#include "loom/parallelize/choose_partitions.h"
#include "loom/parallelize/testing.h"

namespace loom::parallelize {
namespace {

struct Case {
  model::Model model;
  Job job = {};
  model::Accelerator accelerator = small_accelerator();
  model::MeasuredTimes measured = {};

  OperatorPartitioner partitioner(std::int64_t samples) const {
    return OperatorPartitioner({model, job, accelerator, measured, samples});
  }
  int index(const std::string& name) const {
    const auto found = std::find_if(model.operators.begin(), model.operators.end(),
                                    [&](const model::Operator& op) { return op.name == name; });
    return static_cast<int>(found - model.operators.begin());
  }
};

Case transformer() { return {small_transformer(2)}; }
Case images() { return {model::model_of("model: resnet-50, image: 64")}; }
Case mixture() { return {small_mixture(1)}; }
Case dense() { return {model::model_of("model: mlp, inputs: 64, widths: 96x300x64")}; }
Case tables() { return {model::model_of("model: dlrm")}; }

constexpr std::array kDimensions = {PartitionDimension::sample, PartitionDimension::parameter,
                                    PartitionDimension::attribute};

void expect_whole(const model::Operator& op, const PartitionedOperator& it) {
  std::int64_t made = 0;
  std::int64_t parameters = 0;
  for (std::size_t p = 0; p < it.shards.size(); ++p) {
    made += elements(it.shards[p].output);
    parameters += it.shards[p].parameters;
    for (std::size_t q = 0; q < p && !it.sums; ++q) {
      EXPECT_TRUE(overlap(it.shards[p].output, it.shards[q].output).empty());
    }
  }
  const auto degree = static_cast<std::int64_t>(it.shards.size());
  EXPECT_EQ(made, it.whole.elements() * (it.sums ? degree : 1)) << op.name;
  EXPECT_EQ(parameters, op.parameters * (it.shared ? degree : 1)) << op.name;
}

// The bound assumes nothing but that shards together do the work of the operator.
TEST(OperatorPartitioner, ShardsTogetherTakeAtLeastTheLowerBoundOfTheOperator) {
  for (const Case& it : {transformer(), images(), mixture(), dense(), tables()}) {
    constexpr std::int64_t kSamples = 7;
    const OperatorPartitioner partitioner = it.partitioner(kSamples);
    for (int op = 0; op < static_cast<int>(it.model.operators.size()); ++op) {
      const model::Operator& whole = it.model.operators[static_cast<std::size_t>(op)];
      const double bound =
          min_operator_seconds(whole, kSamples, it.accelerator, it.job.precision) * (1 - 1e-9);
      for (const PartitionDimension dimension : kDimensions) {
        for (const int degree : {1, 2, 3, 5, 7}) {
          if (partitioner.objection(op, {dimension, degree})) continue;
          Duration sum{0};
          for (int shard = 0; shard < degree; ++shard) {
            const model::OperatorTime time = partitioner.shard_time(op, {dimension, degree}, shard);
            sum += time.forward + time.backward;
          }
          EXPECT_LE(bound, seconds(sum)) << whole.name << ", degree " << degree;
        }
      }
    }
  }
}

TEST(OperatorPartitioner, ShardsAddUpToTheOperator) {
  for (const Case& it : {transformer(), images(), mixture(), dense(), tables()}) {
    const OperatorPartitioner partitioner = it.partitioner(7);
    for (int op = 0; op < static_cast<int>(it.model.operators.size()); ++op) {
      for (const PartitionDimension dimension : kDimensions) {
        for (const int degree : {1, 2, 3, 5, 7}) {
          if (partitioner.objection(op, {dimension, degree})) continue;
          expect_whole(it.model.operators[static_cast<std::size_t>(op)],
                       partitioner.partition(op, {dimension, degree}));
        }
      }
    }
  }
}

TEST(OperatorPartitioner, DegreeOneIsTheOperatorItself) {
  for (const Case& it : {transformer(), images(), mixture(), dense(), tables()}) {
    const OperatorPartitioner partitioner = it.partitioner(4);
    for (int op = 0; op < static_cast<int>(it.model.operators.size()); ++op) {
      const model::Operator& whole = it.model.operators[static_cast<std::size_t>(op)];
      const model::OperatorTime time =
          operator_time(whole, {.samples = 4}, it.accelerator, it.job.precision, {});
      const PartitionedOperator partitioned = partitioner.partition(op, {});
      EXPECT_EQ(partitioned.shards.front().forward, time.forward);
      EXPECT_EQ(partitioned.shards.front().backward, time.backward);
    }
  }
}

// Even shards equal those of tensor parallelism.
TEST(OperatorPartitioner, EvenShardsTakeAsLongAsWithTensorParallelism) {
  const Case it = transformer();
  const OperatorPartitioner partitioner = it.partitioner(4);
  for (int op = 0; op < static_cast<int>(it.model.operators.size()); ++op) {
    const model::Operator& whole = it.model.operators[static_cast<std::size_t>(op)];
    if (whole.tensor == model::TensorSharding::replicated ||
        whole.kind == model::OperatorKind::lookup)
      continue;
    const model::OperatorTime time =
        operator_time(whole, {.samples = 4, .tensor = 4}, it.accelerator, it.job.precision, {});
    for (int p = 0; p < 4; ++p) {
      const model::OperatorTime shard =
          partitioner.shard_time(op, {PartitionDimension::parameter, 4}, p);
      EXPECT_EQ(shard.forward, time.forward) << whole.name;
      EXPECT_EQ(shard.backward, time.backward) << whole.name;
    }
  }
}

// Eight heads over three shards: the columns before and the rows after them follow the heads.
TEST(OperatorPartitioner, FeaturesArePartitionedBetweenHeads) {
  const Case it = transformer();
  const OperatorPartitioner partitioner = it.partitioner(1);
  const OperatorPartition partition{PartitionDimension::parameter, 3};
  const PartitionedOperator qkv =
      partitioner.partition(it.index("layer0.attention.qkv"), partition);
  const PartitionedOperator scores =
      partitioner.partition(it.index("layer0.attention.scores"), partition);
  for (std::size_t p = 0; p < 3; ++p) EXPECT_EQ(scores.needs[0][p], qkv.shards[p].output);
  EXPECT_EQ(qkv.shards[0].output.front().features, (Interval{0, 72}));
  EXPECT_EQ(qkv.shards[2].output.front().features, (Interval{144, 192}));
}

TEST(OperatorPartitioner, AttentionNeedsAllKeysAndValues) {
  const Case it = transformer();
  const OperatorPartitioner partitioner = it.partitioner(1);
  const PartitionedOperator scores = partitioner.partition(it.index("layer0.attention.scores"),
                                                           {PartitionDimension::attribute, 4});
  // 32 tokens: its own 8 with 64 queries, keys and values each, and the keys of the others.
  EXPECT_EQ(elements(scores.needs[0][1]), 8 * 192 + 24 * 64);
}

// 3 × 3 with stride 1: one more row on each side, except at the image border.
TEST(OperatorPartitioner, ConvolutionsNeedTheAdjacentRows) {
  const Case it = images();
  const OperatorPartitioner partitioner = it.partitioner(1);
  const PartitionedOperator conv =
      partitioner.partition(it.index("stage1.block0.conv2"), {PartitionDimension::attribute, 4});
  EXPECT_EQ(conv.needs[0][0].front().positions, (Interval{0, 5}));
  EXPECT_EQ(conv.needs[0][1].front().positions, (Interval{3, 9}));
  EXPECT_EQ(conv.needs[0][3].front().positions, (Interval{11, 16}));
  const PartitionedOperator half =
      partitioner.partition(it.index("stage2.block0.conv2"), {PartitionDimension::attribute, 4});
  EXPECT_EQ(half.needs[0][1].front().positions, (Interval{3, 8}));  // stride 2
}

TEST(OperatorPartitioner, MeasuredTimesScaleTheShards) {
  Case it = dense();
  it.measured.exact[it.model.operators.front().name] = {80_us, Duration::min()};  // forward
  const Case predicted = dense();
  const OperatorPartition partition{PartitionDimension::sample, 2};
  const double factor =
      80e6 / static_cast<double>(predicted.partitioner(8).shard_time(0, {}, 0).forward.count());
  EXPECT_EQ(it.partitioner(8).shard_time(0, {}, 0).forward, 80_us);
  EXPECT_NEAR(static_cast<double>(it.partitioner(8).shard_time(0, partition, 0).forward.count()),
              factor * static_cast<double>(
                           predicted.partitioner(8).shard_time(0, partition, 0).forward.count()),
              2);
}

TEST(OperatorPartitioner, ErrorsStateTheMaximumDegree) {
  const Case it = transformer();
  EXPECT_EQ(why(it.partitioner(2).objection(it.index("layer0.attention.qkv"),
                                            {PartitionDimension::sample, 3})),
            "layer0.attention.qkv has degree 3 by sample; the maximum is 2");
  EXPECT_EQ(why(it.partitioner(2).objection(it.index("layer0.attention.norm"),
                                            {PartitionDimension::parameter, 2})),
            "layer0.attention.norm has degree 2 by parameter; the maximum is 1");
}

TEST(ChoosePartitions, TheFirstMatchingPatternCounts) {
  const Case it = transformer();
  const auto chosen = choose_partitions(
      it.partitioner(4), {.devices = 4,
                          .manual = {{"layer0.attention.qkv", {PartitionDimension::parameter, 2}},
                                     {"layer*.attention.qkv", {PartitionDimension::attribute, 3}},
                                     {"*", {PartitionDimension::sample, 4}}}});
  const auto& partitions = std::get<std::vector<OperatorPartition>>(chosen);
  const auto of = [&](const char* name) {
    return partitions[static_cast<std::size_t>(it.index(name))];
  };
  EXPECT_EQ(of("layer0.attention.qkv"), (OperatorPartition{PartitionDimension::parameter, 2}));
  EXPECT_EQ(of("layer1.attention.qkv"), (OperatorPartition{PartitionDimension::attribute, 3}));
  EXPECT_EQ(of("layer1.attention.norm"), (OperatorPartition{PartitionDimension::sample, 4}));
}

TEST(ChoosePartitions, ALongQuantumPreventsPartitioning) {
  const Case it = transformer();
  const auto chosen = choose_partitions(it.partitioner(4), {.devices = 4, .quantum = 1000_ms});
  for (const OperatorPartition& partition : std::get<std::vector<OperatorPartition>>(chosen))
    EXPECT_EQ(partition.degree, 1);
}

}  // namespace
}  // namespace loom::parallelize
