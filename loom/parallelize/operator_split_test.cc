#include "loom/parallelize/operator_split.h"

#include <fmt/format.h>

#include "loom/parallelize/testing.h"

namespace loom::parallelize {
namespace {

using enum OperatorSplit;
using workload::CollectiveKind;

Strategy with_splits(Strategy it, const model::Model& model, OperatorSplit split) {
  it.splits.assign(model.operators.size(), split);
  return it;
}

std::size_t index_of(const model::Model& model, const std::string& name) {
  for (std::size_t op = 0; op < model.operators.size(); ++op) {
    if (model.operators[op].name == name) return op;
  }
  ADD_FAILURE() << name;
  return 0;
}

model::Model two_layers() { return model::model_of("model: mlp, inputs: 64, widths: 128x64"); }

// The collectives of a task: kind, span and size.
std::vector<std::string> sent(const Task& task) {
  std::vector<std::string> all;
  for (const Step& it : task.steps) {
    if (!it.communicates) continue;
    all.push_back(fmt::format("{} {} {}", name_of(it.kind),
                              kSpanNames[static_cast<std::size_t>(it.span)], it.size.count));
  }
  return all;
}

TEST(OperatorSplit, AllOperatorsBySamplesAreTheSameJobAsDataParallelism) {
  for (const model::Model& model :
       {small_transformer(2), model::model_of("model: dlrm"), model::model_of("model: vgg-16")}) {
    for (const int zero : {0, 1, 2, 3}) {
      SCOPED_TRACE(fmt::format("{}, zero {}", model.name, zero));
      Job job;
      job.batch = 64;
      const ShardedModel data = sharded(model, job, {.data = 8, .micro_batch = 4, .zero = zero});
      const ShardedModel split = sharded(
          model, job,
          with_splits({.tensor = 4, .data = 2, .micro_batch = 16, .zero = zero}, model, sample));
      EXPECT_EQ(split.micro_batches, data.micro_batches);
      EXPECT_EQ(split.optimizer_time, data.optimizer_time);
      EXPECT_EQ(split.memory.front().total(), data.memory.front().total());
      EXPECT_EQ(split.chunks.front().backward.last, data.chunks.front().backward.last);
      for (const auto task : {&Chunk::forward, &Chunk::backward}) {
        const Task& a = split.chunks.front().*task;
        const Task& b = data.chunks.front().*task;
        EXPECT_EQ(sent(a), sent(b));
        ASSERT_EQ(a.steps.size(), b.steps.size());
        for (std::size_t s = 0; s < a.steps.size(); ++s) {
          EXPECT_EQ(a.steps[s].time, b.steps[s].time);
        }
      }
      ASSERT_EQ(split.chunks.front().buckets.size(), data.chunks.front().buckets.size());
      for (std::size_t b = 0; b < split.chunks.front().buckets.size(); ++b) {
        EXPECT_EQ(split.chunks.front().buckets[b].gradients,
                  data.chunks.front().buckets[b].gradients);
        EXPECT_EQ(split.chunks.front().buckets[b].span, Span::all_data);
      }
    }
  }
}

TEST(OperatorSplit, WithoutASplitNothingChanges) {
  const model::Model model = small_transformer(2);
  Job job;
  job.batch = 16;
  for (const bool sequence_parallel : {false, true}) {
    const Strategy plain = {
        .tensor = 4, .data = 2, .micro_batch = 4, .sequence_parallel = sequence_parallel};
    const ShardedModel a = sharded(model, job, plain);
    const ShardedModel b = sharded(model, job, with_splits(plain, model, uniform));
    EXPECT_EQ(sent(a.chunks.front().forward), sent(b.chunks.front().forward));
    EXPECT_EQ(sent(a.chunks.front().backward), sent(b.chunks.front().backward));
    EXPECT_EQ(a.memory.front().total(), b.memory.front().total());
  }
}

TEST(OperatorSplit, NormsAndSumsAlongTheSequenceAreSequenceParallelism) {
  const model::Model model = small_transformer(2);
  Job job;
  job.batch = 8;
  Strategy by_tokens = with_splits({.tensor = 4, .micro_batch = 8}, model, uniform);
  for (std::size_t op = 0; op < model.operators.size(); ++op) {
    const model::Operator& it = model.operators[op];
    if (it.tensor != model::TensorSharding::replicated) continue;
    if (!objection(it, model, by_tokens, sequence)) by_tokens.splits[op] = sequence;
  }
  const ShardedModel split = sharded(model, job, by_tokens);
  const ShardedModel parallel =
      sharded(model, job, {.tensor = 4, .micro_batch = 8, .sequence_parallel = true});
  EXPECT_EQ(sent(split.chunks.front().forward), sent(parallel.chunks.front().forward));
  EXPECT_EQ(sent(split.chunks.front().backward), sent(parallel.chunks.front().backward));
}

// A column whose input is divided by samples gathers it, and scatters the partial sums of its
// gradient; a row before an operator by samples scatters its sums.
TEST(OperatorSplit, ColumnsGatherAndRowsScatterWhereTheirNeighborsDivideTheSamples) {
  const model::Model model = model::model_of("model: vgg-16");
  Job job;
  job.batch = 16;
  Strategy strategy = with_splits({.tensor = 4, .micro_batch = 16}, model, sample);
  const std::size_t column = index_of(model, "fc6");
  const std::size_t row = index_of(model, "fc7");
  for (std::size_t op = column; op <= row; ++op) strategy.splits[op] = uniform;
  const ShardedModel split = sharded(model, job, strategy);
  EXPECT_EQ(sent(split.chunks.front().forward),
            (std::vector<std::string>{fmt::format("all_gather tensor {}", 16 * 25088 * 2),
                                      fmt::format("reduce_scatter tensor {}", 16 * 4096 * 2)}));
  EXPECT_EQ(sent(split.chunks.front().backward),
            (std::vector<std::string>{fmt::format("all_gather tensor {}", 16 * 4096 * 2),
                                      fmt::format("reduce_scatter tensor {}", 16 * 25088 * 2)}));
}

TEST(OperatorSplit, FromFeaturesToSamplesEachRankSendsItsShareToAllOthers) {
  const model::Model model = two_layers();
  Job job;
  job.batch = 16;
  Strategy strategy = with_splits({.tensor = 4, .micro_batch = 16}, model, sample);
  ASSERT_EQ(model.operators[0].tensor, model::TensorSharding::column);
  strategy.splits[0] = uniform;
  const ShardedModel split = sharded(model, job, strategy);
  const std::string exchanged = fmt::format("all_to_all tensor {}", 16 * 128 * 2 / 4);
  EXPECT_EQ(sent(split.chunks.front().forward), std::vector<std::string>{exchanged});
  EXPECT_EQ(sent(split.chunks.front().backward), std::vector<std::string>{exchanged});
}

TEST(OperatorSplit, TablesBySamplesAreSpreadOverAllRanks) {
  const model::Model model = model::model_of("model: dlrm");
  Job job;
  job.batch = 64;
  Strategy strategy = with_splits({.tensor = 4, .data = 2, .micro_batch = 32}, model, uniform);
  const StageMemory before = sharded(model, job, strategy).memory.front();
  for (std::size_t op = 0; op < model.operators.size(); ++op) {
    if (model.operators[op].tables > 0) strategy.splits[op] = sample;
  }
  const StageMemory after = sharded(model, job, strategy).memory.front();
  EXPECT_LT(after.weights.count, 0.3 * static_cast<double>(before.weights.count));
}

TEST(OperatorSplit, ImpossibleSplitsAreRefused) {
  const model::Model transformer = small_transformer(1);
  const model::Model images = model::model_of("model: vgg-16");
  Job job;
  job.batch = 6;
  EXPECT_EQ(
      why(objection(images, job, with_splits({.tensor = 4, .micro_batch = 6}, images, sample))),
      images.operators.front().name + " divides 6 samples over tensor 4; a multiple is needed");
  EXPECT_EQ(
      why(objection(images, job, with_splits({.tensor = 2, .micro_batch = 6}, images, sequence))),
      images.operators.front().name + " has no tokens to divide");
  EXPECT_NE(why(objection(transformer, job,
                          with_splits({.tensor = 2, .micro_batch = 6}, transformer, sequence))),
            "no objection");
}

}  // namespace
}  // namespace loom::parallelize
