// The sequence of collectives of each kind of sharding, compared with the figures of the papers.
#include "loom/parallelize/task_builder.h"

#include <map>

#include "loom/parallelize/testing.h"

namespace loom::parallelize {
namespace {

using enum workload::CollectiveKind;

constexpr std::int64_t kBytes = std::int64_t{32} * 64 * 2;  // activations of one sequence

std::vector<std::string> exchanges(const Task& task, int block) {
  std::vector<std::string> found;
  for (const Step& step : task.steps) {
    if (!step.communicates || step.block != block) continue;
    found.push_back(fmt::format("{} {} {}", kSpanNames[static_cast<std::size_t>(step.span)],
                                name_of(step.kind), step.size.count));
  }
  return found;
}

using Texts = std::vector<std::string>;

Chunk whole(const model::Model& model, const Strategy& strategy, Job job = {}) {
  job.batch = std::int64_t{strategy.data} * strategy.micro_batch;
  return sharded(model, job, strategy).chunks.front();
}

// Megatron-LM's f and g: two all-reduces forward and two backward per layer (arXiv 1909.08053,
// figure 4).
TEST(TaskBuilder, ATensorParallelLayerReducesTwiceForwardAndTwiceBackward) {
  const Chunk chunk = whole(small_transformer(3), {.tensor = 2, .micro_batch = 3});
  const Texts twice(2, fmt::format("tensor all_reduce {}", 3 * kBytes));
  EXPECT_EQ(exchanges(chunk.forward, 1), twice);
  EXPECT_EQ(exchanges(chunk.backward, 1), twice);
}

// arXiv 2205.05198, figure 5: g and g-bar.
TEST(TaskBuilder, SequenceParallelismGathersAndScattersInstead) {
  const Chunk chunk = whole(small_transformer(3), {.tensor = 2, .sequence_parallel = true});
  const std::string gather = fmt::format("tensor all_gather {}", kBytes);
  const std::string scatter = fmt::format("tensor reduce_scatter {}", kBytes);
  EXPECT_EQ(exchanges(chunk.forward, 1), (Texts{gather, scatter, gather, scatter}));
  EXPECT_EQ(exchanges(chunk.backward, 1), (Texts{gather, scatter, gather, scatter}));
}

TEST(TaskBuilder, FullRecomputationRepeatsTheForwardReductions) {
  const Chunk chunk = whole(small_transformer(3), {.tensor = 2, .recompute = Recompute::full});
  EXPECT_EQ(exchanges(chunk.forward, 1).size(), 2U);
  EXPECT_EQ(exchanges(chunk.backward, 1).size(), 4U);
}

// Both the embedding and the logits are partitioned by vocabulary.
TEST(TaskBuilder, EmbeddingAndHeadReduceOnceEach) {
  const Chunk chunk = whole(small_transformer(3), {.tensor = 2});
  EXPECT_EQ(exchanges(chunk.forward, 0).size(), 3U);
  EXPECT_EQ(exchanges(chunk.backward, 0).size(), 2U);
  EXPECT_EQ(exchanges(chunk.forward, 2).size(), 2U);
  EXPECT_EQ(exchanges(chunk.backward, 2).size(), 3U);
}

// GShard (arXiv 2006.16668): tokens go to their experts and return, forward and backward.
TEST(TaskBuilder, AMixtureExchangesItsTokensTwiceForwardAndTwiceBackward) {
  for (const double capacity : {1.0, 1.25}) {
    const Chunk chunk =
        whole(small_mixture(3), {.expert = 2, .data = 2, .micro_batch = 2}, {.capacity = capacity});
    const auto size = static_cast<std::int64_t>(static_cast<double>(kBytes) * 2 * 2 * capacity);
    const Texts twice(2, fmt::format("expert all_to_all {}", size));
    EXPECT_EQ(exchanges(chunk.forward, 1), twice);
    EXPECT_EQ(exchanges(chunk.backward, 1), twice);
  }
}

TEST(TaskBuilder, ContextRanksGatherKeysAndValuesAndReduceTheirGradients) {
  const Chunk plain = whole(small_transformer(3), {.context = 4});
  EXPECT_EQ(exchanges(plain.forward, 1), Texts(2, fmt::format("context all_gather {}", kBytes)));
  EXPECT_EQ(exchanges(plain.backward, 1),
            Texts(2, fmt::format("context reduce_scatter {}", kBytes)));
  const Chunk fused = whole(small_transformer(3, ", attention: fused"), {.context = 4});
  EXPECT_EQ(exchanges(fused.forward, 1), Texts{fmt::format("context all_gather {}", 2 * kBytes)});
  EXPECT_EQ(exchanges(fused.backward, 1),
            Texts{fmt::format("context reduce_scatter {}", 2 * kBytes)});
  // Four key-value heads for eight query heads halve the bytes; tensor ranks halve them again.
  const Chunk grouped = whole(small_transformer(3, ", attention: fused, kv_heads: 4"),
                              {.tensor = 2, .context = 4, .sequence_parallel = true});
  const Texts forward = exchanges(grouped.forward, 1);
  EXPECT_EQ(
      std::count(forward.begin(), forward.end(), fmt::format("context all_gather {}", kBytes / 2)),
      1);
}

TEST(TaskBuilder, TablesExchangeTheirRowsOverTheReplicas) {
  const model::Model model = model::model_of("model: dlrm");
  const Chunk chunk = whole(model, {.data = 4, .micro_batch = 8});
  std::int64_t rows = 0;
  for (const model::Operator& op : model.operators) rows += op.tables > 0 ? op.output : 0;
  std::map<bool, std::int64_t> sent;
  for (const bool forward : {true, false}) {
    for (const Step& step : (forward ? chunk.forward : chunk.backward).steps) {
      if (step.kind == all_to_all) sent[forward] += step.size.count;
    }
  }
  EXPECT_GT(rows, 0);
  EXPECT_EQ(sent[true], rows * 8 * 2);
  EXPECT_EQ(sent[false], rows * 8 * 2);
}

TEST(TaskBuilder, OneRankNeedsNoCollective) {
  for (const model::ModelPreset& preset : model::model_presets()) {
    const model::Model model = model::model_of("model: " + std::string(preset.name));
    for (int zero = 0; zero <= 3; ++zero) {
      const Chunk chunk = whole(model, {.zero = zero});
      for (const Task* task : {&chunk.forward, &chunk.backward}) {
        for (const Step& step : task->steps) ASSERT_FALSE(step.communicates) << preset.name;
      }
      EXPECT_TRUE(chunk.buckets.empty()) << preset.name;
    }
  }
}

// Without a kernel that accumulates gradients, each micro-batch makes a pass over them.
TEST(TaskBuilder, UnfusedGradientsCostAPass) {
  const model::Model model = small_transformer(3);
  const auto backward = [&](bool fused, int batch) {
    const ShardedModel partition = sharded(model, {.batch = batch, .fused_gradients = fused}, {});
    Duration sum{0};
    for (const Step& step : partition.chunks.front().backward.steps) sum += step.time;
    return sum;
  };
  EXPECT_EQ(backward(true, 1), backward(false, 1));
  EXPECT_EQ(backward(true, 1), backward(true, 2));
  EXPECT_LT(backward(true, 2), backward(false, 2));
}

}  // namespace
}  // namespace loom::parallelize
