// The operators of one layer, with the elements that each reads, writes and keeps.
#include "loom/model/families/transformer_layer.h"

#include <functional>
#include <utility>

namespace loom::model {
namespace {

// Memory traffic of a dropout mask, one byte per element, in two-byte elements; 0 without dropout.
std::int64_t mask_moved(const TransformerShape& shape, std::int64_t elements) {
  return shape.dropout ? elements / 2 : 0;
}

// Bias, dropout and residual in one kernel: reads both branches, writes their sum and the mask.
// Backward of dropout reads a gradient and the mask and writes a gradient; where the branches
// split, their two gradients are read and the sum is written.
Operator add_operator(std::string name, int branch, int residual, const TransformerShape& shape) {
  const std::int64_t n = shape.activations();
  const std::int64_t mask = mask_moved(shape, n);
  const std::int64_t dropout_backward = shape.dropout ? 2 * n + mask : 0;
  Operator op = memory_operator(std::move(name), {branch, residual}, n,
                                {2 * n, n + mask, 3 * n + dropout_backward});
  op.masks = shape.dropout ? n : 0;
  return op;
}

struct AttentionInputs {
  int query = 0;      // operator that computes the queries
  int key_value = 0;  // operator that computes keys and values; in self-attention the same
  bool causal = false;
};

MatrixProduct attention_product(const TransformerShape& shape, std::int64_t per_head) {
  return {.rows = shape.sequence,
          .inner = shape.head_size,
          .columns = shape.sequence,
          .count = shape.heads * per_head};
}

// Scale, mask and softmax in one kernel: reads the scores, writes the probabilities. Dropout is
// another pass, which also writes a mask. Backward of dropout reads a gradient and the mask and
// writes a gradient; backward of softmax reads a gradient and the output and writes a gradient. A
// causal mask saves no work.
Operator softmax_operator(const std::string& name, int scores, const TransformerShape& shape) {
  const std::int64_t n = shape.heads * shape.sequence * shape.sequence;
  const std::int64_t mask = mask_moved(shape, n);
  const std::int64_t passes = shape.dropout ? 2 : 1;
  const std::int64_t dropout_backward = shape.dropout ? 2 * n + mask : 0;
  Operator op = memory_operator(name + ".softmax", {scores}, n,
                                {passes * n, passes * n + mask, 3 * n + dropout_backward},
                                TensorSharding::sharded);
  op.saved = n;
  op.masks = shape.dropout ? n : 0;
  op.core_attention = true;
  return op;
}

Operator attention_operator(std::string name, std::vector<int> inputs, const MatrixProduct& size) {
  return {.name = std::move(name),
          .kind = OperatorKind::attention,
          .inputs = std::move(inputs),
          .product = size,
          .tensor = TensorSharding::sharded,
          .core_attention = true};
}

// The product for the scores keeps queries and keys. The weighted sum keeps the values and, with
// dropout, the probabilities after dropout; without dropout, the softmax keeps them.
int add_plain_attention(ModelBuilder& builder, const TransformerShape& shape,
                        const std::string& name, const AttentionInputs& from) {
  const std::int64_t probabilities = shape.heads * shape.sequence * shape.sequence;
  const std::int64_t per_head = shape.sequence * shape.head_size;
  std::vector<int> read = {from.query};
  if (from.key_value != from.query) read.push_back(from.key_value);
  Operator scores = attention_operator(name + ".scores", read, attention_product(shape, 1));
  scores.output = probabilities;
  scores.gathered = shape.kv_heads * per_head;
  scores.saved = (shape.heads + shape.kv_heads) * per_head;
  const int softmax = builder.add(softmax_operator(name, builder.add(std::move(scores)), shape));
  Operator context =
      attention_operator(name + ".context", {softmax, from.key_value},
                         {shape.sequence, shape.sequence, shape.head_size, shape.heads});
  context.output = shape.heads * per_head;
  context.gathered = shape.kv_heads * per_head;
  context.saved = shape.kv_heads * per_head + (shape.dropout ? probabilities : 0);
  return builder.add(std::move(context));
}

// Fused attention keeps queries, keys, values and an fp32 number per row and head; the projection
// keeps the output. Backward samples the dropout mask again from the same seed.
int add_fused_attention(ModelBuilder& builder, const TransformerShape& shape,
                        const std::string& name, const AttentionInputs& from) {
  const std::int64_t per_head = shape.sequence * shape.head_size;
  std::vector<int> read = {from.query};
  if (from.key_value != from.query) read.push_back(from.key_value);
  Operator op = attention_operator(name + ".core", read, attention_product(shape, 2));
  op.output = shape.heads * per_head;
  op.gathered = 2 * shape.kv_heads * per_head;
  op.saved = (shape.heads + 2 * shape.kv_heads) * per_head;
  op.masks = 4 * shape.heads * shape.sequence;
  op.causal = from.causal;
  op.fused = true;
  return builder.add(std::move(op));
}

int add_core_attention(ModelBuilder& builder, const TransformerShape& shape,
                       const std::string& name, const AttentionInputs& from) {
  const int context = shape.fused ? add_fused_attention(builder, shape, name, from)
                                  : add_plain_attention(builder, shape, name, from);
  return builder.add(product_operator(
      name + ".projection", {context},
      {.rows = shape.sequence, .inner = shape.heads * shape.head_size, .columns = shape.hidden},
      shape.bias, TensorSharding::row));
}

int add_column_product(ModelBuilder& builder, const TransformerShape& shape, std::string name,
                       int input, std::int64_t columns) {
  return builder.add(product_operator(
      std::move(name), {input}, {.rows = shape.sequence, .inner = shape.hidden, .columns = columns},
      shape.bias, TensorSharding::column));
}

// Rotates queries and keys in place: read and written once forward and once backward, nothing kept.
int add_rotary(ModelBuilder& builder, const TransformerShape& shape, const std::string& name,
               int input) {
  const std::int64_t rotated = (shape.heads + shape.kv_heads) * shape.sequence * shape.head_size;
  return builder.add(memory_operator(name + ".rotary", {input}, builder.output(input),
                                     {rotated, rotated, 2 * rotated}, TensorSharding::sharded));
}

int add_self_attention(ModelBuilder& builder, const TransformerShape& shape,
                       const std::string& name, int input, bool causal) {
  int qkv = add_column_product(builder, shape, name + ".qkv", input,
                               (shape.heads + 2 * shape.kv_heads) * shape.head_size);
  if (shape.rotary) qkv = add_rotary(builder, shape, name, qkv);
  return add_core_attention(builder, shape, name, {qkv, qkv, causal});
}

// Every layer keeps its own copy of the encoder's output: layers may be on different devices.
int add_cross_attention(ModelBuilder& builder, const TransformerShape& shape,
                        const std::string& name, int input, int memory) {
  const int query =
      add_column_product(builder, shape, name + ".query", input, shape.heads * shape.head_size);
  const int key_value = add_column_product(builder, shape, name + ".key_value", memory,
                                           2 * shape.kv_heads * shape.head_size);
  return add_core_attention(builder, shape, name, {query, key_value, false});
}

// The feed-forward network for `tokens` rows: the products up and down, with the activation
// function in between. With experts, each row passes through one expert. If gated, gate and up are
// one product; the activation reads both results and writes their elementwise product, and its
// backward pass reads the gradient and both results and writes two gradients.
int add_network(ModelBuilder& builder, const TransformerShape& shape, const std::string& name,
                int input, std::int64_t tokens) {
  const std::int64_t wide = shape.gated ? 2 : 1;
  const std::int64_t n = tokens * shape.feed_forward;
  Operator up = product_operator(
      name + ".up", {input},
      {.rows = tokens, .inner = shape.hidden, .columns = wide * shape.feed_forward}, shape.bias,
      TensorSharding::column);
  Operator down = product_operator(
      name + ".down", {}, {.rows = tokens, .inner = shape.feed_forward, .columns = shape.hidden},
      shape.bias, TensorSharding::row);
  for (Operator* op : {&up, &down}) {
    op->experts = static_cast<int>(shape.experts);
    if (shape.experts > 0) op->parameters *= shape.experts;
  }
  Operator activation = memory_operator(name + ".activation", {builder.add(std::move(up))}, n,
                                        {wide * n, n, n + 2 * wide * n}, TensorSharding::sharded);
  activation.saved = wide * n;
  activation.experts = static_cast<int>(shape.experts);
  down.inputs = {builder.add(std::move(activation))};
  return builder.add(std::move(down));
}

// A mixture of experts: the router scores the experts, dispatch copies each token to its chosen
// experts, and combine sums their results. Combine keeps these results for the gradient of the
// router. Backward, dispatch sums the gradients of the copies.
int add_mixture(ModelBuilder& builder, const TransformerShape& shape, const std::string& name,
                int input) {
  const std::int64_t n = shape.activations();
  const std::int64_t tokens = shape.sequence * shape.chosen_experts;
  const std::int64_t copies = tokens * shape.hidden;
  const int router = builder.add(
      product_operator(name + ".router", {input},
                       {.rows = shape.sequence, .inner = shape.hidden, .columns = shape.experts},
                       false, TensorSharding::replicated));
  const int dispatch = builder.add(
      memory_operator(name + ".dispatch", {input, router}, copies, {n, copies, copies + n}));
  const int down = add_network(builder, shape, name + ".experts", dispatch, tokens);
  Operator combine =
      memory_operator(name + ".combine", {down, router}, n, {copies, n, n + 2 * copies});
  combine.saved = copies;
  return builder.add(std::move(combine));
}

// Adds a residual branch with a norm: before the branch, or after the sum if `post_norm`.
int add_branch(ModelBuilder& builder, const TransformerShape& shape, const std::string& name,
               int input, const std::function<int(int)>& branch) {
  const auto add_norm = [&](int normed) {
    return builder.add(norm_operator(name + ".norm", normed, shape, shape.sequence));
  };
  const int read = shape.post_norm ? input : add_norm(input);
  const int sum = builder.add(add_operator(name + ".add", branch(read), input, shape));
  return shape.post_norm ? add_norm(sum) : sum;
}

}  // namespace

// Keeps its input. Backward reads the input and a gradient, and writes a gradient.
Operator norm_operator(std::string name, int input, const TransformerShape& shape,
                       std::int64_t rows) {
  const std::int64_t n = rows * shape.hidden;
  Operator op = memory_operator(std::move(name), {input}, n, {n, n, 3 * n});
  op.parameters = shape.norm_parameters;
  op.saved = n;
  return op;
}

int add_transformer_layer(ModelBuilder& builder, const TransformerShape& shape,
                          const std::string& name, int input, int memory, bool causal) {
  const std::string attention = name + ".attention";
  int last = add_branch(builder, shape, attention, input, [&](int read) {
    return add_self_attention(builder, shape, attention, read, causal);
  });
  if (memory >= 0) {
    const std::string cross = name + ".cross";
    last = add_branch(builder, shape, cross, last, [&](int read) {
      return add_cross_attention(builder, shape, cross, read, memory);
    });
  }
  const std::string forward = name + ".feed_forward";
  return add_branch(builder, shape, forward, last, [&](int read) {
    return shape.experts > 0 ? add_mixture(builder, shape, forward, read)
                             : add_network(builder, shape, forward, read, shape.sequence);
  });
}

}  // namespace loom::model
