// Helpers of all model families: descriptions of parameters, common operators, and the check that
// the totals of a model fit into 64 bits.
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

// If `fallback` is empty, the family derives the default from other parameters.
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

// Reads the sizes of a shape; refuses more than `max_sizes` sizes, or a size above `max`.
std::vector<std::int64_t> bounded_shape(const Settings& settings, std::string_view name,
                                        std::size_t max_sizes, std::int64_t max);

// Builds a model operator by operator, block by block.
class ModelBuilder {
 public:
  // `blamed` is the parameter that the error names if a total of the model exceeds 2^61.
  ModelBuilder(const Settings& settings, std::string_view blamed)
      : settings_(settings), blamed_(blamed) {}

  // Adds the operator to the current block; returns its index.
  int add(Operator op);
  void next_block() { ++block_; }
  // Sets whether the operators added next are excluded from full recomputation.
  void keep(bool kept) { keep_ = kept; }
  std::int64_t output(int op) const;

  // Returns the model. Every block needs at least one operator.
  Model finish();

  Model model;  // the caller sets the members other than operators and blocks

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

// Memory traffic of an operator, in elements.
struct Moved {
  std::int64_t read = 0;
  std::int64_t written = 0;
  std::int64_t backward = 0;
};
Operator memory_operator(std::string name, std::vector<int> inputs, std::int64_t output,
                         const Moved& moved, TensorSharding tensor = TensorSharding::replicated);

// ReLU. Backward reads the gradient and the output, and writes a gradient. The output is kept for
// the backward pass by this operator if `kept`, otherwise by the operator that reads it.
Operator relu_operator(std::string name, int input, std::int64_t elements, bool kept,
                       TensorSharding tensor = TensorSharding::replicated);

// Softmax and cross entropy in fp32 over `classes` classes, for each of `rows` rows.
Operator cross_entropy_operator(std::string name, std::vector<int> inputs, std::int64_t rows,
                                std::int64_t classes, TensorSharding tensor);

// Concatenates outputs into one tensor: one copy forward, one backward.
Operator concatenation_operator(std::string name, std::vector<int> inputs, std::int64_t elements);

}  // namespace loom::model
