// Structure of transformers, and their activation memory compared with the literature.
#include "loom/model/families/transformer.h"

#include "loom/model/testing.h"

namespace loom::model {
namespace {

const std::string kSmall =
    "model: transformer, layers: 3, hidden: 64, heads: 4, vocabulary: 100, sequence: 32";

// Bytes that one device keeps of a layer, with two-byte elements: all of them if the operator is
// replicated or has a complete input, divided by `tensor` otherwise.
std::int64_t kept(const Model& model, const std::string& layer, std::int64_t tensor) {
  std::int64_t sum = 0;
  for (const Operator& op : model.operators) {
    if (!op.name.starts_with(layer + ".")) continue;
    const bool sharded = op.tensor == TensorSharding::sharded || op.tensor == TensorSharding::row;
    sum += (2 * op.saved + op.masks) / (sharded ? tensor : 1);
  }
  return sum;
}

// Korthikanti et al. (arXiv 2205.05198), equations 1 and 2.
TEST(Transformer, ALayerKeepsWhatThePaperSays) {
  const Model model = model_of("model: gpt3-175b");
  const std::int64_t s = 2048;
  const std::int64_t h = 12288;
  const std::int64_t a = 96;
  for (const std::int64_t t : {1, 2, 8}) {
    EXPECT_EQ(kept(model, "layer5", t), s * (10 * h + 24 * h / t + 5 * a * s / t)) << t;
  }
  EXPECT_EQ(kept(model, "layer5", 1), 34 * s * h + 5 * a * s * s);
}

TEST(Transformer, ANormAfterTheResidualKeepsTheSame) {
  EXPECT_EQ(kept(model_of(kSmall + ", post_norm: true"), "layer1", 1),
            kept(model_of(kSmall), "layer1", 1));
}

// Without dropout there are no masks, and the probabilities are one tensor.
TEST(Transformer, WithoutDropoutALayerKeepsLess) {
  const std::int64_t s = 32;
  const std::int64_t h = 64;
  EXPECT_EQ(kept(model_of(kSmall + ", dropout: false"), "layer1", 1), 32 * s * h + 8 * s * s);
}

// Queries, keys, values and output, and 4 bytes per row and head instead of the scores.
TEST(Transformer, FusedAttentionKeepsNoScores) {
  const Model model = model_of(kSmall + ", attention: fused");
  const std::int64_t s = 32;
  EXPECT_EQ(kept(model, "layer1", 1), 34 * s * 64 + 16 * s);
  const Operator& core = operator_of(model, "layer1.attention.core");
  EXPECT_TRUE(core.fused && core.causal && core.core_attention);
  // The half of the scores above the diagonal is skipped: of 4 s² h flops in each of three layers.
  EXPECT_EQ(model.forward_flops(), model_of(kSmall).forward_flops() - 6 * s * s * 64);
}

TEST(Transformer, ALayerIsTheKernelsOfMegatron) {
  const Model model = model_of(kSmall);
  std::string names;
  for (const Operator& op : model.operators) {
    if (op.block == 1) names += op.name.substr(std::string("layer1.").size()) + " ";
  }
  EXPECT_EQ(names,
            "attention.norm attention.qkv attention.scores attention.softmax attention.context "
            "attention.projection attention.add feed_forward.norm feed_forward.up "
            "feed_forward.activation feed_forward.down feed_forward.add ");
}

// In two-byte elements; a mask has one byte per element.
TEST(Transformer, MemoryTrafficIsCounted) {
  const Model model = model_of(kSmall);
  const Operator& softmax = operator_of(model, "layer0.attention.softmax");
  const std::int64_t scores = 4096;  // 4 heads, 32 × 32
  EXPECT_EQ(softmax.read, 2 * scores);
  EXPECT_EQ(softmax.written, 2 * scores + scores / 2);
  EXPECT_EQ(softmax.backward_moved, 5 * scores + scores / 2);
  const Operator& norm = operator_of(model, "layer0.attention.norm");
  EXPECT_EQ(norm.read + norm.written + norm.backward_moved, 5 * 32 * 64);
  const Operator& add = operator_of(model, "layer0.attention.add");
  EXPECT_EQ(add.read, 2 * 32 * 64);
  EXPECT_EQ(add.written, 32 * 64 * 3 / 2);
  EXPECT_EQ(add.backward_moved, 32 * 64 * 11 / 2);
  const Operator& activation = operator_of(model, "layer0.feed_forward.activation");
  EXPECT_EQ(activation.read + activation.written, 2 * 32 * 256);
  EXPECT_EQ(activation.backward_moved, 3 * 32 * 256);
}

TEST(Transformer, FewerKeyValueHeadsComputeAndKeepLess) {
  const Model model = model_of(kSmall + ", kv_heads: 2, dropout: false");
  EXPECT_EQ(operator_of(model, "layer0.attention.qkv").product.columns, (4 + 2 + 2) * 16);
  EXPECT_EQ(operator_of(model, "layer0.attention.scores").saved, (4 + 2) * 32 * 16);
  EXPECT_EQ(operator_of(model, "layer0.attention.context").saved, 2 * 32 * 16);
}

TEST(Transformer, AHeadMayBeWiderThanItsShare) {
  const Model model = model_of(kSmall + ", head_size: 128");
  EXPECT_EQ(operator_of(model, "layer0.attention.qkv").product.columns, 3 * 4 * 128);
  EXPECT_EQ(operator_of(model, "layer0.attention.projection").product.inner, 4 * 128);
}

TEST(Transformer, TheTableBelongsToTheFirstBlockAndTheLossToTheLast) {
  const Model model = model_of(kSmall);
  EXPECT_EQ(model.blocks, 3);
  EXPECT_EQ(model.operators.front().name, "embedding.tokens");
  EXPECT_EQ(model.operators.front().parameters, 100 * 64);
  EXPECT_EQ(model.operators.back().name, "head.loss");
  EXPECT_EQ(model.operators.back().block, 2);
  EXPECT_EQ(operator_of(model, "head.logits").parameters, 0);
  EXPECT_EQ(operator_of(model_of(kSmall + ", tied: false"), "head.logits").parameters, 100 * 64);
  EXPECT_EQ(model.boundary(0), 32 * 64);
}

TEST(Transformer, FullRecomputationRepeatsOnlyTheLayers) {
  for (const Operator& op : model_of(kSmall + ", encoder_layers: 1").operators) {
    EXPECT_NE(op.kept, op.name.starts_with("layer") || op.name.starts_with("encoder0")) << op.name;
  }
}

TEST(Transformer, ContextRanksExchangeKeysAndValues) {
  const Model plain = model_of(kSmall + ", kv_heads: 2");
  EXPECT_EQ(operator_of(plain, "layer0.attention.scores").gathered, 2 * 32 * 16);
  EXPECT_EQ(operator_of(plain, "layer0.attention.context").gathered, 2 * 32 * 16);
  const Model fused = model_of(kSmall + ", kv_heads: 2, attention: fused");
  EXPECT_EQ(operator_of(fused, "layer0.attention.core").gathered, 2 * 2 * 32 * 16);
}

TEST(Transformer, EachTokenOfAMixtureUsesTheChosenExperts) {
  const Model model = model_of(kSmall + ", experts: 6, chosen_experts: 3, gated: true");
  const Operator& up = operator_of(model, "layer2.feed_forward.experts.up");
  EXPECT_EQ(up.experts, 6);
  EXPECT_EQ(up.product, (MatrixProduct{.rows = 96, .inner = 64, .columns = 512}));
  EXPECT_EQ(up.parameters, 6 * 65 * 512);
  EXPECT_EQ(operator_of(model, "layer2.feed_forward.router").product.columns, 6);
  EXPECT_EQ(model.experts, 6);
  EXPECT_EQ(model.chosen_experts, 3);
}

// Every decoder layer reads the encoder's last output, which therefore crosses every boundary.
TEST(Transformer, TheEncodersOutputReachesEveryLayer) {
  const Model model = model_of(kSmall + ", encoder_layers: 2");
  EXPECT_EQ(model.blocks, 5);
  EXPECT_EQ(model.boundary(0), 32 * 64);
  EXPECT_EQ(model.boundary(1), 32 * 64);
  EXPECT_EQ(model.boundary(2), 2 * 32 * 64);
  EXPECT_EQ(model.boundary(3), 2 * 32 * 64);
  EXPECT_EQ(operator_of(model, "embedding.tokens").parameters, 0);
}

TEST(Transformer, ContradictoryParametersAreRefused) {
  const std::string rest = "vocabulary: 100, sequence: 32";
  EXPECT_EQ(refusal_of("model: transformer, layers: 1, hidden: 65, heads: 4, " + rest),
            "test.yaml:1: workload.hidden is 65; a multiple of heads (4), or head_size, is needed");
  EXPECT_EQ(refusal_of(kSmall + ", kv_heads: 3"),
            "test.yaml:1: workload.kv_heads is 3; a divisor of heads (4) is needed");
  EXPECT_EQ(refusal_of(kSmall + ", positions: 31"),
            "test.yaml:1: workload.positions is 31; at least sequence (32), or 0, is needed");
  EXPECT_EQ(refusal_of(kSmall + ", predictions: 33"),
            "test.yaml:1: workload.predictions is 33; at most sequence (32) is possible");
  EXPECT_EQ(refusal_of(kSmall + ", experts: 2, chosen_experts: 3"),
            "test.yaml:1: workload.chosen_experts is 3; at most experts (2) is possible");
  EXPECT_EQ(refusal_of("model: transformer, layers: 1, hidden: 64, " + rest),
            "test.yaml:1: workload lacks 'heads' (number of attention heads)");
}

TEST(Transformer, AModelTooLargeToCountIsRefused) {
  const std::string largest =
      "model: transformer, layers: 4096, hidden: 1048576, heads: 16384, head_size: 16384, "
      "feed_forward: 16777216, vocabulary: 134217728, sequence: 4194304, gated: true";
  EXPECT_EQ(refusal_of(largest),
            "test.yaml:1: workload.hidden is 1048576; a smaller model is needed: with the other "
            "parameters one sample needs more than 2^61 flops");
  EXPECT_EQ(refusal_of("model: transformer, layers: 4096, hidden: 1048576, heads: 16384, "
                       "feed_forward: 16777216, vocabulary: 1, sequence: 1, experts: 4096, "
                       "chosen_experts: 1"),
            "test.yaml:1: workload.hidden is 1048576; a smaller model is needed: with the other "
            "parameters one sample needs more than 2^61 parameters");
  EXPECT_EQ(refusal_of(kSmall + "0000000"),
            "test.yaml:1: workload.sequence is 320000000; at most 4194304 is possible");
}

}  // namespace
}  // namespace loom::model
