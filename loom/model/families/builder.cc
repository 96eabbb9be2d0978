// Common operators, and the limits on a model's total flops, parameters and elements.
#include "loom/model/families/builder.h"

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

#include "loom/base/error.h"

namespace loom::model {
namespace {

// Upper bound on the totals of a model, so that three times a total still fits into an int64.
constexpr Int128 kMaxCounted = Int128{1} << 61;

// The product of nonnegative numbers, or some value above kMaxCounted if the product exceeds it.
Int128 bounded_product(std::initializer_list<std::int64_t> factors) {
  Int128 product = 1;
  for (const std::int64_t factor : factors) {
    if (factor == 0) return 0;
    product = product > kMaxCounted ? product : product * factor;
  }
  return product;
}

}  // namespace

std::vector<std::int64_t> bounded_shape(const Settings& settings, std::string_view name,
                                        std::size_t max_sizes, std::int64_t max) {
  const std::vector<int> sizes = settings.shape(name);
  if (sizes.size() > max_sizes) {
    settings.refuse(name, fmt::format("at most {} numbers are possible", max_sizes));
  }
  for (const int size : sizes) {
    if (size > max) settings.refuse(name, fmt::format("every size may be at most {}", max));
  }
  return {sizes.begin(), sizes.end()};
}

int ModelBuilder::add(Operator op) {
  for (const int input : op.inputs) {
    LOOM_CHECK(input >= 0 && input < static_cast<int>(model.operators.size()),
               "an operator reads only from earlier operators");
  }
  count(op);
  op.block = block_;
  op.kept = keep_;
  model.operators.push_back(std::move(op));
  return static_cast<int>(model.operators.size()) - 1;
}

// Adds the operator to the totals; refuses a model whose totals exceed kMaxCounted. Training takes
// three times the forward flops, which are two per multiply-add: hence the factor 6.
void ModelBuilder::count(const Operator& op) {
  const MatrixProduct& size = op.product;
  flops_ += bounded_product({6, size.rows, size.inner, size.columns, size.count});
  parameters_ += op.parameters;
  for (const std::int64_t amount :
       {op.output, op.read, op.written, op.backward_moved, op.saved, op.masks}) {
    LOOM_CHECK(amount >= 0, "parameters are bounded so that no count of one operator overflows");
    elements_ += amount;
  }
  const char* many = flops_ > kMaxCounted        ? "flops"
                     : parameters_ > kMaxCounted ? "parameters"
                     : elements_ > kMaxCounted   ? "elements"
                                                 : nullptr;
  if (many == nullptr) return;
  settings_.refuse(blamed_, fmt::format("a smaller model is needed: with the other parameters one "
                                        "sample needs more than 2^61 {}",
                                        many));
}

std::int64_t ModelBuilder::output(int op) const {
  return model.operators[static_cast<std::size_t>(op)].output;
}

Model ModelBuilder::finish() {
  model.blocks = block_ + 1;
  return std::move(model);
}

Operator product_operator(std::string name, std::vector<int> inputs, const MatrixProduct& size,
                          bool bias, TensorSharding tensor) {
  return {.name = std::move(name),
          .kind = OperatorKind::product,
          .inputs = std::move(inputs),
          .product = size,
          .parameters = (size.inner + (bias ? 1 : 0)) * size.columns,
          .output = size.rows * size.columns,
          .saved = size.rows * size.inner,
          .tensor = tensor};
}

Operator memory_operator(std::string name, std::vector<int> inputs, std::int64_t output,
                         const Moved& moved, TensorSharding tensor) {
  return {.name = std::move(name),
          .kind = OperatorKind::memory,
          .inputs = std::move(inputs),
          .output = output,
          .read = moved.read,
          .written = moved.written,
          .backward_moved = moved.backward,
          .tensor = tensor};
}

Operator relu_operator(std::string name, int input, std::int64_t elements, bool kept,
                       TensorSharding tensor) {
  Operator op = memory_operator(std::move(name), {input}, elements,
                                {elements, elements, 3 * elements}, tensor);
  op.saved = kept ? elements : 0;
  return op;
}

// Memory traffic per logit, in two-byte elements. Forward: conversion to fp32 reads 1 and writes 2,
// maximum and sum read 2, the probabilities for the backward pass read 2 and write 2. Backward
// reads the probabilities (2) and writes the gradient (1).
Operator cross_entropy_operator(std::string name, std::vector<int> inputs, std::int64_t rows,
                                std::int64_t classes, TensorSharding tensor) {
  const std::int64_t logits = rows * classes;
  Operator op = memory_operator(std::move(name), std::move(inputs), rows,
                                {5 * logits, 4 * logits, 3 * logits}, tensor);
  op.masks = 4 * logits;
  return op;
}

Operator concatenation_operator(std::string name, std::vector<int> inputs, std::int64_t elements) {
  return memory_operator(std::move(name), std::move(inputs), elements,
                         {elements, elements, 2 * elements});
}

}  // namespace loom::model
