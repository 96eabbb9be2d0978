// Memory of a device, compared with the formulas of the papers.
#include "loom/parallelize/footprint.h"

#include "loom/parallelize/testing.h"

namespace loom::parallelize {
namespace {

constexpr std::int64_t kSequence = 32;
constexpr std::int64_t kHidden = 64;
constexpr std::int64_t kHeads = 8;
constexpr std::int64_t kElements = kSequence * kHidden;
constexpr std::int64_t kScores = kHeads * kSequence * kSequence;

// Memory of one stage with one micro-batch per data rank.
StageMemory memory_of(const model::Model& model, const Strategy& strategy, Job job = {}) {
  job.batch = std::int64_t{strategy.data} * strategy.micro_batch;
  return sharded(model, job, strategy).memory.front();
}

// Activations of one layer: the difference between models of five and four layers.
std::int64_t layer_activations(const Strategy& strategy) {
  const Bytes four = memory_of(small_transformer(4), strategy).activations;
  const Bytes five = memory_of(small_transformer(5), strategy).activations;
  return (five - four).count;
}

TEST(Footprint, AdamKeepsEighteenBytesAParameter) {
  const model::Model model = small_transformer(3);
  const std::int64_t parameters = model.parameters();
  const StageMemory memory = memory_of(model, {.data = 4});
  EXPECT_EQ(memory.weights.count, 2 * parameters);
  EXPECT_EQ(memory.gradients.count, 4 * parameters);
  EXPECT_EQ(memory.optimizer.count, 12 * parameters);
  EXPECT_EQ(memory.total(),
            memory.weights + memory.gradients + memory.optimizer + memory.activations);
}

TEST(Footprint, PrecisionAndOptimizerDetermineTheBytes) {
  const model::Model model = small_transformer(3);
  const std::int64_t parameters = model.parameters();
  const StageMemory memory = memory_of(
      model, {},
      {.precision = model::Precision::fp32, .gradient_bytes = 2, .optimizer = Optimizer::sgd});
  EXPECT_EQ(memory.weights.count, 4 * parameters);
  EXPECT_EQ(memory.gradients.count, 2 * parameters);
  EXPECT_EQ(memory.optimizer.count, 4 * parameters);  // fp32 weights need no master copy
}

std::int64_t divided_up(std::int64_t whole, std::int64_t pieces) {
  return (whole + pieces - 1) / pieces;
}

// arXiv 1910.02054, figure 1.
TEST(Footprint, ZeroShardsOptimizerThenGradientsThenWeightsOverReplicas) {
  const model::Model model = small_transformer(3);
  const std::int64_t parameters = model.parameters();
  for (const int context : {1, 2}) {
    const int replicas = 4 * context;
    for (int zero = 0; zero <= 3; ++zero) {
      const StageMemory memory = memory_of(model, {.context = context, .data = 4, .zero = zero});
      EXPECT_EQ(memory.optimizer.count, divided_up(12 * parameters, zero >= 1 ? replicas : 1));
      EXPECT_EQ(memory.gradients.count, divided_up(4 * parameters, zero >= 2 ? replicas : 1));
      EXPECT_EQ(memory.weights.count, divided_up(2 * parameters, zero >= 3 ? replicas : 1));
    }
  }
}

TEST(Footprint, ExpertsAreSpreadAndZeroShardsThemOverTheirOwnReplicas) {
  const model::Model model = small_mixture(2);
  std::int64_t experts = 0;
  for (const model::Operator& op : model.operators) experts += op.experts > 0 ? op.parameters : 0;
  const std::int64_t dense = model.parameters() - experts;
  EXPECT_EQ(memory_of(model, {.expert = 2, .data = 4}).weights.count, 2 * (dense + experts / 2));
  EXPECT_EQ(memory_of(model, {.expert = 2, .data = 4, .zero = 3}).weights.count,
            2 * (dense / 4 + experts / 4));
  EXPECT_EQ(memory_of(model, {.expert = 4, .data = 4, .zero = 3}).weights.count,
            2 * (dense / 4 + experts / 4));
}

TEST(Footprint, TensorRanksHoldTheirShardOfPartitionedWeights) {
  const model::Model model = small_transformer(3);
  std::int64_t partition = 0;
  for (const model::Operator& op : model.operators) {
    const bool is =
        op.tensor == model::TensorSharding::column || op.tensor == model::TensorSharding::row;
    partition += is ? op.parameters : 0;
  }
  EXPECT_GT(partition, 9 * model.parameters() / 10);
  EXPECT_EQ(memory_of(model, {.tensor = 4}).weights.count,
            2 * (model.parameters() - partition) + 2 * partition / 4);
}

TEST(Footprint, StagesTogetherHoldAllParameters) {
  const model::Model model = small_transformer(7);
  for (const int pipeline : {2, 3, 7}) {
    std::int64_t sum = 0;
    for (const StageMemory& memory : sharded(model, {.batch = 8}, {.pipeline = pipeline}).memory) {
      sum += memory.weights.count;
    }
    EXPECT_EQ(sum, 2 * model.parameters());
  }
}

// arXiv 2205.05198, equation 1: sbh(34 + 5as/h).
TEST(Activations, ALayerKeepsThirtyFourBytesAnElementAndFiveAScore) {
  for (const int b : {1, 2, 4}) {
    EXPECT_EQ(layer_activations({.micro_batch = b}), b * (34 * kElements + 5 * kScores));
  }
}

// Equation 2: sbh(10 + 24/t + 5as/(ht)).
TEST(Activations, TensorParallelismLeavesTenBytesAnElementUnsharded) {
  for (const int t : {2, 4, 8}) {
    EXPECT_EQ(layer_activations({.tensor = t, .micro_batch = 2}),
              2 * (10 * kElements + 24 * kElements / t + 5 * kScores / t));
  }
}

// Equation 4: sbh/t (34 + 5as/h).
TEST(Activations, SequenceParallelismDividesThemAll) {
  for (const int t : {2, 4, 8}) {
    EXPECT_EQ(layer_activations({.tensor = t, .micro_batch = 2, .sequence_parallel = true}),
              2 * (34 * kElements + 5 * kScores) / t);
  }
}

TEST(Activations, ContextParallelismDividesThemAll) {
  EXPECT_EQ(layer_activations({.context = 4}), (34 * kElements + 5 * kScores) / 4);
}

// Equation 6, and table 2: selective recomputation drops 5as/h, full keeps 2sbh per layer.
TEST(Activations, RecomputationKeepsLess) {
  EXPECT_EQ(layer_activations({.recompute = Recompute::selective}), 34 * kElements);
  EXPECT_EQ(layer_activations({.tensor = 4, .recompute = Recompute::selective}),
            10 * kElements + 24 * kElements / 4);
  EXPECT_EQ(layer_activations({.recompute = Recompute::full}), 2 * kElements);
  EXPECT_EQ(layer_activations({.tensor = 4, .recompute = Recompute::full}), 2 * kElements);
  EXPECT_EQ(
      layer_activations({.tensor = 4, .sequence_parallel = true, .recompute = Recompute::full}),
      2 * kElements / 4);
}

// The block being recomputed counts once, however many layers or micro-batches there are.
TEST(Activations, OneLayerIsRecomputedAtATime) {
  const model::Model model = small_transformer(4);
  const Bytes none = memory_of(model, {}).activations;
  const std::int64_t layer = 34 * kElements + 5 * kScores;
  EXPECT_EQ(none - memory_of(model, {.recompute = Recompute::selective}).activations,
            Bytes{kScores * 3 * 5});
  EXPECT_EQ(none - memory_of(model, {.recompute = Recompute::full}).activations,
            Bytes{3 * layer - kElements * 4 * 2});
}

TEST(Activations, FusedAttentionKeepsNoScores) {
  const auto layer = [](const Strategy& strategy) {
    const Bytes four = memory_of(small_transformer(4, ", attention: fused"), strategy).activations;
    const Bytes five = memory_of(small_transformer(5, ", attention: fused"), strategy).activations;
    return (five - four).count;
  };
  EXPECT_EQ(layer({}), 34 * kElements + 4 * kHeads * kSequence);
  EXPECT_EQ(layer({.recompute = Recompute::selective}), layer({}));
}

// A stage keeps as many micro-batches as are in flight on it; the inner layers are equal.
TEST(Activations, CountMicroBatchesInFlight) {
  const model::Model model = small_transformer(4);
  const std::int64_t layer = 34 * kElements + 5 * kScores;
  const auto kept = [&](PipelineSchedule schedule, int batch, std::size_t stage) {
    return sharded(model, {.batch = batch}, {.pipeline = 4, .schedule = schedule})
        .memory[stage]
        .activations.count;
  };
  for (const int batch : {1, 2, 3, 8}) {
    EXPECT_EQ(kept(PipelineSchedule::gpipe, batch, 1), batch * layer);
    EXPECT_EQ(kept(PipelineSchedule::one_forward_one_backward, batch, 1),
              std::min(3, batch) * layer);
    EXPECT_EQ(kept(PipelineSchedule::one_forward_one_backward, batch, 2),
              std::min(2, batch) * layer);
  }
}

TEST(Activations, AnExpertsBufferGrowsWithItsCapacity) {
  const model::Model model = small_mixture(2);
  double experts = 0;
  for (const model::Operator& op : model.operators) {
    if (op.experts > 0) experts += kept_bytes(op, {}, {});
  }
  const auto activations = [&](const Job& job) { return memory_of(model, {}, job).activations; };
  const Bytes more = activations({.capacity = 1.5}) - activations({});
  EXPECT_EQ(static_cast<double>(more.count), 0.5 * experts);
  EXPECT_EQ(activations({.capacity = 1.5}), activations({.imbalance = 1.5}));
}

}  // namespace
}  // namespace loom::parallelize
