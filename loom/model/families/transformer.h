// Transformers: GPT, BERT, Llama, mixtures of experts, and encoder-decoder models.
//
// One block per layer; the embedding belongs to the first block, the head and the loss to the last.
// Operators are the kernels of Megatron-LM (arXiv 1909.08053), with adjacent elementwise work
// fused: bias with the activation function, bias with dropout and the residual.
#pragma once

#include "loom/model/catalog.h"

namespace loom::model {

extern const ModelFamily kTransformerFamily;

}  // namespace loom::model
