// Totals of small hand-written models.
#include "loom/model/model.h"

#include <gtest/gtest.h>

namespace loom::model {
namespace {

Operator multiply(OperatorKind kind, const MatrixProduct& size) {
  return {.name = "m", .kind = kind, .product = size, .parameters = 10};
}

TEST(Model, FlopsAreTwoForEachMultiplyAndAdd) {
  EXPECT_EQ((MatrixProduct{.rows = 2, .inner = 3, .columns = 5, .count = 7}.flops()), 420);
}

TEST(Model, OnlyProductsCountAsFlopsAndBackwardIsTwiceForward) {
  Model model;
  for (const OperatorKind kind :
       {OperatorKind::product, OperatorKind::convolution, OperatorKind::attention}) {
    model.operators.push_back(multiply(kind, {.rows = 1, .inner = 2, .columns = 3}));
  }
  model.operators.push_back({.name = "norm", .read = 100, .written = 100});
  EXPECT_EQ(model.forward_flops(), 36);
  EXPECT_EQ(model.training_flops(), 108);
  EXPECT_EQ(model.parameters(), 30);
}

TEST(Model, ATokenOfAMixtureUsesTheChosenExperts) {
  Model model;
  model.experts = 8;
  model.chosen_experts = 2;
  model.operators.push_back({.name = "router", .parameters = 5});
  model.operators.push_back({.name = "up", .parameters = 800, .experts = 8});
  EXPECT_EQ(model.parameters(), 805);
  EXPECT_EQ(model.active_parameters(), 205);
}

TEST(Model, AnOutputCrossesABoundaryOnceIfItIsReadBeyondIt) {
  Model model;
  model.blocks = 3;
  model.operators.push_back({.name = "a", .block = 0, .output = 1});
  model.operators.push_back({.name = "b", .inputs = {0}, .block = 0, .output = 10});
  model.operators.push_back({.name = "c", .inputs = {1}, .block = 1, .output = 100});
  model.operators.push_back({.name = "d", .inputs = {1, 2}, .block = 2, .output = 1000});
  model.operators.push_back({.name = "e", .inputs = {1, 2}, .block = 2, .output = 1000});
  EXPECT_EQ(model.boundary(0), 10);
  EXPECT_EQ(model.boundary(1), 110);
  EXPECT_EQ(model.boundary(2), 0);
}

}  // namespace
}  // namespace loom::model
