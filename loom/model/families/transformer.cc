// Builds a transformer from its parameters: embedding, layers, head.
#include "loom/model/families/transformer.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "loom/model/families/transformer_layer.h"

namespace loom::model {
namespace {

constexpr std::array<std::string_view, 2> kNorms = {"layer", "rms"};
constexpr std::array<std::string_view, 2> kAttentions = {"plain", "fused"};
constexpr std::array<std::string_view, 3> kHeads = {"logits", "masked", "none"};

constexpr Parameter choice(std::string_view name, std::string_view summary,
                           std::span<const std::string_view> choices) {
  return {.name = name,
          .type = ValueType::choice,
          .summary = summary,
          .fallback = choices.front(),
          .choices = choices};
}

// These maxima keep every count of one operator below 2^62.
constexpr std::array kTransformerParameters = {
    required_integer("layers", "number of layers, each a block", 4096),
    required_integer("hidden", "width of the activations", 1 << 20),
    required_integer("heads", "number of attention heads", 1 << 14),
    integer_parameter("head_size", "width of a head (default: hidden / heads)", "", 1, 1 << 14),
    integer_parameter("kv_heads", "number of key and value heads (default: heads)", "", 1, 1 << 14),
    integer_parameter("feed_forward", "inner width of the feed-forward network (default: 4 hidden)",
                      "", 1, 1 << 24),
    boolean_parameter("gated", "gated feed-forward network (SwiGLU)", "false"),
    required_integer("vocabulary", "number of rows of the embedding table", 1 << 27),
    required_integer("sequence", "number of tokens per sample", 1 << 22),
    integer_parameter("positions", "number of learned position embeddings; 0 for none", "0", 0,
                      1 << 24),
    boolean_parameter("rotary", "rotary position embeddings", "false"),
    integer_parameter("segments", "number of token-type embeddings; 0 for none", "0", 0, 1 << 16),
    boolean_parameter("embedding_norm", "norm after the embeddings", "false"),
    choice("norm", "layer norm or RMS norm", kNorms),
    Parameter{.name = "norm_bias",
              .type = ValueType::boolean,
              .summary = "bias in norms (default: only in layer norms)"},
    boolean_parameter("post_norm", "norm after each residual sum, not before each branch", "false"),
    boolean_parameter("final_norm", "norm after the last layer", "true"),
    boolean_parameter("bias", "biases in linear layers", "true"),
    boolean_parameter("tied", "embedding table shared with the logits", "true"),
    boolean_parameter("dropout", "dropout on attention and residuals", "true"),
    choice("attention",
           "attention that writes its scores to memory, or one fused kernel (FlashAttention)",
           kAttentions),
    boolean_parameter("causal", "causal attention: each token attends only to earlier tokens",
                      "true"),
    choice("head", "head after the layers: logits, BERT's masked-token head, or none", kHeads),
    integer_parameter("predictions",
                      "number of positions whose token is predicted (default: sequence)", "", 1,
                      1 << 22),
    boolean_parameter("pooler", "BERT's pooler over the first token", "false"),
    integer_parameter("encoder_layers",
                      "number of layers of the encoder that every layer attends to; 0 for none",
                      "0", 0, 4096),
    integer_parameter("experts", "number of experts in a mixture; 0 for one feed-forward network",
                      "0", 0, 1 << 12),
    integer_parameter("chosen_experts", "number of experts per token", "2", 1, 1 << 10),
};

std::int64_t given_or(const Settings& settings, std::string_view name, std::int64_t otherwise) {
  return settings.has(name) ? settings.integer(name) : otherwise;
}

void check(const Settings& settings, const TransformerShape& shape) {
  if (!settings.has("head_size") && shape.hidden % shape.heads != 0) {
    settings.refuse("hidden",
                    fmt::format("a multiple of heads ({}), or head_size, is needed", shape.heads));
  }
  if (shape.heads % shape.kv_heads != 0) {
    settings.refuse("kv_heads", fmt::format("a divisor of heads ({}) is needed", shape.heads));
  }
  if (shape.positions > 0 && shape.positions < shape.sequence) {
    settings.refuse("positions",
                    fmt::format("at least sequence ({}), or 0, is needed", shape.sequence));
  }
  if (shape.predictions > shape.sequence) {
    settings.refuse("predictions",
                    fmt::format("at most sequence ({}) is possible", shape.sequence));
  }
  if (shape.experts > 0 && shape.chosen_experts > shape.experts) {
    settings.refuse("chosen_experts",
                    fmt::format("at most experts ({}) is possible", shape.experts));
  }
}

TransformerShape read_sizes(const Settings& settings) {
  const std::int64_t hidden = settings.integer("hidden");
  const std::int64_t heads = settings.integer("heads");
  const std::int64_t sequence = settings.integer("sequence");
  return {.layers = settings.integer("layers"),
          .encoder_layers = settings.integer("encoder_layers"),
          .hidden = hidden,
          .heads = heads,
          .head_size = given_or(settings, "head_size", hidden / heads),
          .kv_heads = given_or(settings, "kv_heads", heads),
          .feed_forward = given_or(settings, "feed_forward", 4 * hidden),
          .vocabulary = settings.integer("vocabulary"),
          .sequence = sequence,
          .positions = settings.integer("positions"),
          .segments = settings.integer("segments"),
          .predictions = given_or(settings, "predictions", sequence),
          .experts = settings.integer("experts"),
          .chosen_experts = settings.integer("chosen_experts")};
}

TransformerShape read_shape(const Settings& settings) {
  TransformerShape shape = read_sizes(settings);
  const bool norm_bias =
      settings.has("norm_bias") ? settings.boolean("norm_bias") : settings.text("norm") == "layer";
  shape.norm_parameters = (norm_bias ? 2 : 1) * shape.hidden;
  shape.gated = settings.boolean("gated");
  shape.bias = settings.boolean("bias");
  shape.dropout = settings.boolean("dropout");
  shape.fused = settings.text("attention") == "fused";
  shape.causal = settings.boolean("causal");
  shape.rotary = settings.boolean("rotary");
  shape.post_norm = settings.boolean("post_norm");
  check(settings, shape);
  return shape;
}

// Token embedding: reads a row of the table for each token. Backward reads the gradient, and reads
// and writes these rows in the gradient of the table. `owner`: this operator counts the parameters
// of the table.
int add_lookup(ModelBuilder& builder, const TransformerShape& shape, std::string name, bool owner) {
  const std::int64_t n = shape.activations();
  return builder.add({.name = std::move(name),
                      .kind = OperatorKind::lookup,
                      .parameters = owner ? shape.vocabulary * shape.hidden : 0,
                      .output = n,
                      .read = n,
                      .written = n,
                      .backward_moved = 3 * n,
                      .tensor = TensorSharding::row});
}

// Adds position and token-type embeddings and applies dropout in one pass: reads the tokens'
// embeddings and a row of each table, writes the sum and the mask. Backward reads the gradient and
// the mask, writes a gradient, and reads and writes the tables' gradients.
int add_positions(ModelBuilder& builder, const TransformerShape& shape, std::string name, int input,
                  bool owner) {
  const std::int64_t tables = (shape.positions > 0 ? 1 : 0) + (shape.segments > 0 ? 1 : 0);
  if (tables == 0 && !shape.dropout) return input;
  const std::int64_t n = shape.activations();
  const std::int64_t mask = shape.dropout ? n / 2 : 0;
  return builder.add({.name = std::move(name),
                      .kind = tables > 0 ? OperatorKind::lookup : OperatorKind::memory,
                      .inputs = {input},
                      .parameters = owner ? (shape.positions + shape.segments) * shape.hidden : 0,
                      .output = n,
                      .read = (1 + tables) * n,
                      .written = n + mask,
                      .backward_moved = 2 * n + mask + 2 * tables * n,
                      .masks = shape.dropout ? n : 0});
}

int add_embedding(ModelBuilder& builder, const Settings& settings, const TransformerShape& shape,
                  const std::string& name, bool owner) {
  builder.keep(true);
  int last = add_lookup(builder, shape, name + ".tokens", owner);
  last = add_positions(builder, shape, name + ".positions", last, owner);
  if (settings.boolean("embedding_norm")) {
    last = builder.add(norm_operator(name + ".norm", last, shape, shape.sequence));
  }
  builder.keep(false);
  return last;
}

// BERT's head: a dense layer with activation and norm before the logits, for the masked positions.
int add_transform(ModelBuilder& builder, const TransformerShape& shape, int input) {
  const std::int64_t n = shape.predictions * shape.hidden;
  const int dense = builder.add(
      product_operator("head.transform", {input},
                       {.rows = shape.predictions, .inner = shape.hidden, .columns = shape.hidden},
                       true, TensorSharding::replicated));
  Operator activation = memory_operator("head.activation", {dense}, n, {n, n, 3 * n});
  activation.saved = n;
  return builder.add(
      norm_operator("head.norm", builder.add(std::move(activation)), shape, shape.predictions));
}

// A dense layer and tanh over the first token.
int add_pooler(ModelBuilder& builder, const TransformerShape& shape, int input) {
  const std::int64_t n = shape.hidden;
  const int dense =
      builder.add(product_operator("pooler.dense", {input}, {.rows = 1, .inner = n, .columns = n},
                                   true, TensorSharding::replicated));
  return builder.add(relu_operator("pooler.tanh", dense, n, true));
}

// If the logits share the table of the embedding (`tied`), the embedding counts its parameters.
int add_logits(ModelBuilder& builder, const Settings& settings, const TransformerShape& shape,
               int input) {
  const bool masked = settings.text("head") == "masked";
  Operator logits = product_operator(
      "head.logits", {masked ? add_transform(builder, shape, input) : input},
      {.rows = shape.predictions, .inner = shape.hidden, .columns = shape.vocabulary}, masked,
      TensorSharding::column);
  if (settings.boolean("tied")) logits.parameters -= shape.hidden * shape.vocabulary;
  return builder.add(std::move(logits));
}

void add_head(ModelBuilder& builder, const Settings& settings, const TransformerShape& shape,
              int input) {
  builder.keep(true);
  if (settings.boolean("final_norm")) {
    input = builder.add(norm_operator("head.final_norm", input, shape, shape.sequence));
  }
  const int pooled = settings.boolean("pooler") ? add_pooler(builder, shape, input) : -1;
  if (settings.text("head") == "none") return;
  std::vector<int> judged = {add_logits(builder, settings, shape, input)};
  if (pooled >= 0 && settings.text("head") == "masked") {
    judged.push_back(builder.add(product_operator("pooler.next_sentence", {pooled},
                                                  {.rows = 1, .inner = shape.hidden, .columns = 2},
                                                  true, TensorSharding::replicated)));
  }
  builder.add(cross_entropy_operator("head.loss", std::move(judged), shape.predictions,
                                     shape.vocabulary, TensorSharding::sharded));
}

// Adds the encoder, if there is one; returns its last operator, or -1. The embedding of the decoder
// starts the next block.
int add_encoder(ModelBuilder& builder, const Settings& settings, const TransformerShape& shape) {
  if (shape.encoder_layers == 0) return -1;
  int last = add_embedding(builder, settings, shape, "encoder.embedding", true);
  for (std::int64_t layer = 0; layer < shape.encoder_layers; ++layer) {
    last = add_transformer_layer(builder, shape, fmt::format("encoder{}", layer), last, -1, false);
    if (layer + 1 < shape.encoder_layers) builder.next_block();
  }
  if (settings.boolean("final_norm")) {
    builder.keep(true);
    last = builder.add(norm_operator("encoder.final_norm", last, shape, shape.sequence));
    builder.keep(false);
  }
  builder.next_block();
  return last;
}

Model build_transformer(const Settings& settings) {
  const TransformerShape shape = read_shape(settings);
  ModelBuilder builder(settings, "hidden");
  const int memory = add_encoder(builder, settings, shape);
  int last = add_embedding(builder, settings, shape, "embedding", memory < 0);
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    if (layer > 0) builder.next_block();
    last = add_transformer_layer(builder, shape, fmt::format("layer{}", layer), last, memory,
                                 shape.causal);
  }
  add_head(builder, settings, shape, last);
  builder.model.sample = "sequence";
  builder.model.tokens = shape.sequence;
  builder.model.hidden = shape.hidden;
  builder.model.experts = static_cast<int>(shape.experts);
  builder.model.chosen_experts = shape.experts > 0 ? static_cast<int>(shape.chosen_experts) : 0;
  return builder.finish();
}

}  // namespace

const ModelFamily kTransformerFamily = {
    "transformer", "layers of attention and a feed-forward network or mixture of experts",
    kTransformerParameters, build_transformer};

}  // namespace loom::model
