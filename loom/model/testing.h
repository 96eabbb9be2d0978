// Test support: models from a line of YAML, and invariants of every model.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "loom/base/testing.h"
#include "loom/model/catalog.h"

namespace loom::model {

// `text` is the inside of a map: "model: gpt3-175b, layers: 48".
inline Model model_of(const std::string& text) {
  return build_model(read_model(parse_yaml("{" + text + "}", "test.yaml")));
}

inline std::string refusal_of(const std::string& text) {
  return message([&] { model_of(text); });
}

inline const Operator& operator_of(const Model& model, const std::string& name) {
  for (const Operator& op : model.operators) {
    if (op.name == name) return op;
  }
  ADD_FAILURE() << model.name << " has no operator " << name;
  return model.operators.front();
}

// Whether an operator's output is sharded over tensor ranks.
inline bool output_sharded(const Operator& op) {
  return op.tensor == TensorSharding::column || op.tensor == TensorSharding::sharded;
}

// Checks that an operator is consistent.
inline void expect_sound(const Operator& op) {
  EXPECT_GE(op.parameters, 0) << op.name;
  EXPECT_GT(op.output, 0) << op.name;
  EXPECT_GE(op.saved, 0) << op.name;
  EXPECT_GE(op.masks, 0) << op.name;
  const bool moves = op.kind == OperatorKind::memory || op.kind == OperatorKind::lookup;
  EXPECT_EQ(op.product.flops() > 0, !moves) << op.name;
  EXPECT_EQ(op.read > 0 && op.written > 0 && op.backward_moved > 0, moves) << op.name;
  EXPECT_TRUE(op.kind != OperatorKind::attention || op.parameters == 0) << op.name;
  EXPECT_TRUE(op.core_attention || !(op.fused || op.causal)) << op.name;
}

// Checks that every input precedes its reader, that only operators with sharded input read a
// sharded output, and that every sharded output except a loss is read.
inline void expect_sound_inputs(const Model& model) {
  std::set<int> read;
  for (int i = 0; i < static_cast<int>(model.operators.size()); ++i) {
    const Operator& op = model.operators[static_cast<std::size_t>(i)];
    for (const int input : op.inputs) {
      ASSERT_TRUE(input >= 0 && input < i) << op.name;
      read.insert(input);
      const Operator& from = model.operators[static_cast<std::size_t>(input)];
      const bool input_sharded =
          op.tensor == TensorSharding::sharded || op.tensor == TensorSharding::row;
      EXPECT_TRUE(input_sharded || !output_sharded(from)) << from.name << " to " << op.name;
    }
  }
  for (int i = 0; i < static_cast<int>(model.operators.size()); ++i) {
    const Operator& op = model.operators[static_cast<std::size_t>(i)];
    const bool loss = op.name.ends_with("loss");
    EXPECT_TRUE(!output_sharded(op) || loss || read.contains(i)) << op.name;
  }
}

inline void expect_sound(const Model& model) {
  std::set<std::string> names;
  int block = 0;
  for (const Operator& op : model.operators) {
    EXPECT_TRUE(names.insert(op.name).second) << op.name << " is not unique";
    EXPECT_TRUE(op.block == block || op.block == block + 1) << op.name;
    block = op.block;
    expect_sound(op);
  }
  EXPECT_EQ(block + 1, model.blocks);
  for (int i = 0; i + 1 < model.blocks; ++i) EXPECT_GT(model.boundary(i), 0) << i;
  EXPECT_EQ(model.boundary(model.blocks - 1), 0);
  EXPECT_GT(model.parameters(), 0);
  EXPECT_LE(model.active_parameters(), model.parameters());
  EXPECT_EQ(model.training_flops(), 3 * model.forward_flops());
  expect_sound_inputs(model);
}

}  // namespace loom::model
