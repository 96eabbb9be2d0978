// Text of a strategy, and errors of impossible ones.
#include "loom/parallelize/strategy.h"

#include "loom/base/testing.h"
#include "loom/parallelize/testing.h"

namespace loom::parallelize {
namespace {

TEST(Strategy, ItsTextListsSettingsThatDifferFromTheDefault) {
  EXPECT_EQ(to_text(Strategy{}), "one device, micro-batch 1");
  EXPECT_EQ(to_text(Strategy{.tensor = 8, .data = 2, .micro_batch = 4, .sequence_parallel = true}),
            "tensor 8, data 2, micro-batch 4, sequence parallel");
  EXPECT_EQ(to_text(Strategy{.expert = 2,
                             .data = 4,
                             .pipeline = 3,
                             .interleave = 2,
                             .schedule = PipelineSchedule::interleaved,
                             .zero = 1,
                             .recompute = Recompute::selective}),
            "pipeline 3, data 4, expert 2, micro-batch 1, interleaved 2, zero 1, selective "
            "recomputation");
  EXPECT_EQ(to_text(Strategy{.context = 2,
                             .pipeline = 2,
                             .schedule = PipelineSchedule::gpipe,
                             .recompute = Recompute::full,
                             .order = {Dimension::data, Dimension::tensor, Dimension::pipeline,
                                       Dimension::expert, Dimension::context}}),
            "context 2, pipeline 2, micro-batch 1, gpipe, full recomputation, order pipeline "
            "context");
  EXPECT_EQ(to_text(Strategy{.context = 2,
                             .pipeline = 2,
                             .order = {Dimension::data, Dimension::tensor, Dimension::context,
                                       Dimension::expert, Dimension::pipeline}}),
            "context 2, pipeline 2, micro-batch 1, 1f1b");
}

TEST(Strategy, ItsDevicesAreTheProductOfItsDimensions) {
  EXPECT_EQ((Strategy{.tensor = 2, .context = 3, .expert = 5, .data = 5, .pipeline = 7}.devices()),
            210);
}

TEST(Objection, PipelinesNeedABlockForEveryChunk) {
  const model::Model model = small_transformer(4);
  EXPECT_EQ(why(objection(model, {.batch = 8}, {.pipeline = 5})),
            "5 stages of 1 chunks for 4 blocks; at most one chunk per block is possible");
  EXPECT_EQ(why(objection(model, {.batch = 8},
                          {.pipeline = 2, .interleave = 2, .schedule = PipelineSchedule::gpipe})),
            "2 chunks per stage with schedule gpipe; interleaved is needed");
  EXPECT_EQ(why(objection(model, {.batch = 4}, {.pipeline = 4})), "no objection");
}

TEST(Objection, BatchesAreIntegerMultiplesOfMicroBatches) {
  const model::Model model = small_transformer(4);
  EXPECT_EQ(why(objection(model, {.batch = 10}, {.data = 4, .micro_batch = 2})),
            "a batch of 10 over 4 data ranks in micro-batches of 2; a multiple of 8 is needed");
  EXPECT_EQ(
      why(objection(model, {.batch = 3},
                    {.pipeline = 2, .interleave = 2, .schedule = PipelineSchedule::interleaved})),
      "3 micro-batches over 2 interleaved stages; a multiple is needed");
}

TEST(Objection, TensorRanksDivideHeadsAndNeedAPartitionableOperator) {
  for (const std::string attention : {"plain", "fused"}) {
    const model::Model model = small_transformer(2, ", attention: " + attention);
    EXPECT_EQ(why(objection(model, {.batch = 1}, {.tensor = 16})),
              "8 attention heads over tensor 16; a divisor is needed")
        << attention;
    EXPECT_EQ(why(objection(model, {.batch = 1}, {.tensor = 8})), "no objection") << attention;
  }
  EXPECT_EQ(why(objection(model::model_of("model: resnet-50"), {.batch = 1}, {.tensor = 2})),
            "tensor 2; resnet-50 has no operator that tensor parallelism could partition");
}

TEST(Objection, SequencesArePartitionedEvenly) {
  const model::Model model = small_transformer(2);
  EXPECT_EQ(why(objection(model, {.batch = 1}, {.context = 3})),
            "a sequence of 32 over 3 ranks; a divisor is needed");
  EXPECT_EQ(
      why(objection(model, {.batch = 1}, {.tensor = 8, .context = 8, .sequence_parallel = true})),
      "a sequence of 32 over 64 ranks; a divisor is needed");
  EXPECT_EQ(why(objection(model, {.batch = 1}, {.tensor = 8, .context = 8})), "no objection");
  EXPECT_EQ(why(objection(model::model_of("model: resnet-50"), {.batch = 1}, {.context = 2})),
            "context 2; resnet-50 has no sequence to partition");
}

TEST(Objection, ExpertsAreSpreadEvenlyInsideData) {
  const model::Model mixture = small_mixture(2);
  EXPECT_EQ(why(objection(mixture, {.batch = 6}, {.expert = 4, .data = 6})),
            "expert 4 inside data 6; a divisor is needed");
  EXPECT_EQ(why(objection(mixture, {.batch = 6}, {.expert = 3, .data = 6})),
            "4 experts over expert 3; a divisor is needed");
  EXPECT_EQ(why(objection(small_transformer(2), {.batch = 6}, {.expert = 2, .data = 6})),
            "0 experts over expert 2; a divisor is needed");
  EXPECT_EQ(why(objection(mixture, {.batch = 6}, {.expert = 2, .data = 6})), "no objection");
}

}  // namespace
}  // namespace loom::parallelize
