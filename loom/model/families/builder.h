// Shared by the model builders: parameters, common operators, and the check that a model's counts
// fit into 64 bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"
#include "loom/model/model.h"

namespace loom::model {

constexpr Parameter required_integer(std::string_view name, std::string_view summary,
                                     std::int64_t max) {
  return {.name = name,
          .type = ValueType::integer,
          .summary = summary,
          .required = true,
          .min = 1,
          .max = max};
}

// With an empty fallback the builder derives the value from others.
constexpr Parameter integer_parameter(std::string_view name, std::string_view summary,
                                      std::string_view fallback, std::int64_t min,
                                      std::int64_t max) {
  return {.name = name,
          .type = ValueType::integer,
          .summary = summary,
          .fallback = fallback,
          .min = min,
          .max = max};
}

constexpr Parameter shape_parameter(std::string_view name, std::string_view summary,
                                    std::string_view fallback = "") {
  return {.name = name,
          .type = ValueType::shape,
          .summary = summary,
          .fallback = fallback,
          .required = fallback.empty()};
}

constexpr Parameter boolean_parameter(std::string_view name, std::string_view summary,
                                      std::string_view fallback) {
  return {.name = name, .type = ValueType::boolean, .summary = summary, .fallback = fallback};
}

// The sizes of a shape; refuses more than `max_sizes` sizes, or a size above `max`.
std::vector<std::int64_t> bounded_shape(const Settings& settings, std::string_view name,
                                        std::size_t max_sizes, std::int64_t max);

// Builds a model operator by operator, block by block.
class ModelBuilder {
 public:
  // `blamed` is the parameter that the error names if the model is too large to count.
  ModelBuilder(const Settings& settings, std::string_view blamed)
      : settings_(settings), blamed_(blamed) {}

  // Adds the operator to the current block; returns its index.
  int add(Operator op);
  void next_block() { ++block_; }
  // Whether the following operators are excluded from full recomputation.
  void keep(bool kept) { keep_ = kept; }
  std::int64_t output(int op) const;

  // Every block needs at least one operator.
  Model finish();

  Model model;  // the caller fills its other members

 private:
  void count(const Operator& op);

  const Settings& settings_;
  std::string blamed_;
  int block_ = 0;
  bool keep_ = false;
  Int128 flops_ = 0;
  Int128 parameters_ = 0;
  Int128 elements_ = 0;
};

// A product of activations and weights; it keeps its input for the backward pass.
Operator product_operator(std::string name, std::vector<int> inputs, const MatrixProduct& size,
                          bool bias, TensorSharding tensor);

// Memory traffic, in elements.
struct Moved {
  std::int64_t read = 0;
  std::int64_t written = 0;
  std::int64_t backward = 0;
};
Operator memory_operator(std::string name, std::vector<int> inputs, std::int64_t output,
                         const Moved& moved, TensorSharding tensor = TensorSharding::replicated);

// ReLU: backward reads the gradient and the output, and writes the gradient. The output is kept by
// its reader, or here if `kept`.
Operator relu_operator(std::string name, int input, std::int64_t elements, bool kept,
                       TensorSharding tensor = TensorSharding::replicated);

// Softmax and cross entropy in fp32 over `classes` for each of `rows`.
Operator cross_entropy_operator(std::string name, std::vector<int> inputs, std::int64_t rows,
                                std::int64_t classes, TensorSharding tensor);

// Concatenates outputs into one tensor: one copy forward, one backward.
Operator concatenation_operator(std::string name, std::vector<int> inputs, std::int64_t elements);

}  // namespace loom::model
