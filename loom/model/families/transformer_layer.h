// One layer of a transformer as operators: attention, then a feed-forward network or a mixture of
// experts.
//
// The tensors that the operators keep for the backward pass add up to the numbers of Korthikanti et
// al. (arXiv 2205.05198, section 4): each is counted once, at the last operator that needs it.
#pragma once

#include <cstdint>
#include <string>

#include "loom/model/families/builder.h"

namespace loom::model {

struct TransformerShape {
  std::int64_t layers = 0;
  std::int64_t encoder_layers = 0;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t head_size = 0;
  std::int64_t kv_heads = 0;
  std::int64_t feed_forward = 0;
  std::int64_t vocabulary = 0;
  std::int64_t sequence = 0;
  std::int64_t positions = 0;    // learned; 0: none
  std::int64_t segments = 0;     // token types, as in BERT; 0: none
  std::int64_t predictions = 0;  // positions whose token is predicted
  std::int64_t experts = 0;      // 0: one feed-forward network
  std::int64_t chosen_experts = 0;
  std::int64_t norm_parameters = 0;
  bool gated = false;
  bool bias = false;
  bool dropout = false;
  bool fused = false;
  bool causal = false;
  bool rotary = false;
  bool post_norm = false;  // a norm after each residual, not before each branch

  std::int64_t activations() const { return sequence * hidden; }
};

// A layer norm or RMS norm of `rows` rows of `hidden` elements.
Operator norm_operator(std::string name, int input, const TransformerShape& shape,
                       std::int64_t rows);

// Adds the operators of a layer that reads `input`; returns the index of the last. `memory` is the
// operator with the encoder's output if the layer also attends to it, otherwise -1.
int add_transformer_layer(ModelBuilder& builder, const TransformerShape& shape,
                          const std::string& name, int input, int memory, bool causal);

}  // namespace loom::model
