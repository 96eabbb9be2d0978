// A sharded model: nothing is lost, and every device of a stage can run its steps.
#include "loom/parallelize/shard.h"

#include <functional>

#include "loom/parallelize/testing.h"

namespace loom::parallelize {
namespace {

Duration computing(const Task& task) {
  Duration sum{0};
  for (const Step& step : task.steps) {
    if (!step.communicates) sum += step.time;
  }
  return sum;
}

TEST(Shard, ChunksTileTheBlocksAndDifferByAtMostOne) {
  for (int blocks = 1; blocks <= 12; ++blocks) {
    const model::Model model = small_transformer(blocks);
    for (int p = 1; p <= blocks; ++p) {
      const ShardedModel it = sharded(model, {.batch = 4}, {.pipeline = p});
      ASSERT_EQ(it.chunks.size(), static_cast<std::size_t>(p));
      int next = 0;
      for (const Chunk& chunk : it.chunks) {
        EXPECT_EQ(chunk.first_block, next);
        EXPECT_GE(chunk.block_count, blocks / p);
        EXPECT_LE(chunk.block_count, (blocks + p - 1) / p);
        next += chunk.block_count;
      }
      EXPECT_EQ(next, blocks);
    }
  }
}

TEST(Shard, ChunksAreAssignedToStagesRoundRobin) {
  const ShardedModel it =
      sharded(small_transformer(8), {.batch = 2},
              {.pipeline = 2, .interleave = 3, .schedule = PipelineSchedule::interleaved});
  ASSERT_EQ(it.chunks.size(), 6U);
  for (std::size_t c = 0; c < 6; ++c) EXPECT_EQ(it.chunks[c].stage, static_cast<int>(c % 2));
  EXPECT_EQ(it.chunks.back().output.count, 0);
}

// The stages of a pipeline together compute what one device does.
TEST(Shard, PipeliningAddsNoComputation) {
  const model::Model model = small_transformer(6);
  const auto total = [&](const Strategy& strategy) {
    Duration sum{0};
    for (const Chunk& chunk : sharded(model, {.batch = 6}, strategy).chunks) {
      sum += computing(chunk.forward) + computing(chunk.backward);
    }
    return sum;
  };
  const Duration whole = total({});
  for (const int p : {2, 3, 6}) EXPECT_EQ(total({.pipeline = p}), whole);
  EXPECT_EQ(total({.pipeline = 3, .interleave = 2, .schedule = PipelineSchedule::interleaved}),
            whole);
}

TEST(Shard, StepsDependOnlyOnEarlierSteps) {
  const model::Model model = small_mixture(4);
  for (int zero = 0; zero <= 3; ++zero) {
    for (const auto recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
      const ShardedModel it = sharded(model, {.batch = 16},
                                      {.tensor = 2,
                                       .context = 2,
                                       .expert = 2,
                                       .data = 4,
                                       .pipeline = 2,
                                       .zero = zero,
                                       .sequence_parallel = zero % 2 == 1,
                                       .recompute = recompute});
      for (const Chunk& chunk : it.chunks) {
        for (const Task* task : {&chunk.forward, &chunk.backward}) {
          for (std::size_t s = 0; s < task->steps.size(); ++s) {
            for (const int after : task->steps[s].after) {
              ASSERT_GE(after, 0);
              ASSERT_LT(after, static_cast<int>(s));
            }
          }
          ASSERT_LT(task->last, static_cast<int>(task->steps.size()));
        }
      }
    }
  }
}

TEST(Shard, BucketsHoldEveryGradientOnceAndFillBeforeTheNextOpens) {
  const model::Model model = small_transformer(6);
  for (const Bytes bucket : {1_B, 100_KB, 300_KB, 1_GB}) {
    const ShardedModel it = sharded(model, {.batch = 2, .bucket = bucket}, {.data = 2});
    Bytes sum;
    const std::vector<Bucket>& buckets = it.chunks.front().buckets;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      if (b + 1 < buckets.size()) {
        EXPECT_GE(buckets[b].gradients, bucket);
        EXPECT_LE(buckets[b].ready, buckets[b + 1].ready);
      }
      EXPECT_EQ(buckets[b].gradients.count, 2 * buckets[b].weights.count);
      sum += buckets[b].gradients;
    }
    EXPECT_EQ(sum.count, 4 * model.parameters());
  }
}

TEST(Shard, FlopsAreThoseOfTheModelForAnyStrategy) {
  const model::Model model = small_transformer(4);
  const Job job{.batch = 16};
  const double flops = 16.0 * static_cast<double>(model.training_flops());
  for (const Strategy& it :
       {Strategy{}, Strategy{.tensor = 4, .data = 2}, Strategy{.pipeline = 2}}) {
    EXPECT_EQ(sharded(model, job, it).flops, flops);
    EXPECT_EQ(sharded(model, job, it).done_flops, flops);
  }
  EXPECT_EQ(sharded(model, job, {.recompute = Recompute::full}).flops, flops);
}

// arXiv 2205.05198, appendix A: full recomputation repeats the layers' forward pass; selective
// repeats the two products of attention, 4 b s² h flops per layer.
TEST(Shard, RecomputationAddsFlops) {
  const model::Model model = small_transformer(4);
  const Job job{.batch = 16};
  const auto again = [&](Recompute recompute) {
    const ShardedModel it = sharded(model, job, {.recompute = recompute});
    return it.done_flops - it.flops;
  };
  EXPECT_EQ(again(Recompute::selective), 16.0 * 4 * 4 * 32 * 32 * 64);
  EXPECT_EQ(again(Recompute::full),
            16.0 * static_cast<double>(model.forward_flops() - std::int64_t{2} * 32 * 64 * 256));
}

TEST(Shard, RecomputationLengthensOnlyTheBackwardPass) {
  const model::Model model = small_transformer(4);
  const auto chunk = [&](Recompute recompute) {
    return sharded(model, {.batch = 1}, {.recompute = recompute}).chunks.front();
  };
  const Chunk none = chunk(Recompute::none);
  const Chunk selective = chunk(Recompute::selective);
  const Chunk full = chunk(Recompute::full);
  EXPECT_EQ(computing(none.forward), computing(full.forward));
  EXPECT_EQ(computing(none.forward), computing(selective.forward));
  EXPECT_LT(computing(none.backward), computing(selective.backward));
  EXPECT_LT(computing(selective.backward), computing(full.backward));
  EXPECT_LT(computing(full.backward), computing(none.backward) + computing(none.forward));
}

TEST(Shard, ZeroShardsTheUpdate) {
  const model::Model model = small_transformer(4);
  const auto update = [&](int zero) {
    return sharded(model, {.batch = 4}, {.data = 4, .zero = zero}).optimizer_time.front();
  };
  const Duration launch = small_accelerator().launch;
  EXPECT_EQ(update(1), update(2));
  EXPECT_EQ(update(1), update(3));
  EXPECT_NEAR(static_cast<double>((update(0) - launch).count()),
              4.0 * static_cast<double>((update(1) - launch).count()), 4);
}

}  // namespace
}  // namespace loom::parallelize
