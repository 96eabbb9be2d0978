// Tables, towers and stacks of dense layers.
#include "loom/model/families/recommender.h"

#include "loom/model/testing.h"

namespace loom::model {
namespace {

TEST(Recommender, TablesAreOneLookupThatCanBeSpread) {
  const Model model = model_of(
      "model: recommender, tables: 3, rows: 10x20x30, dimension: 8, lookups: 5, "
      "bottom: 16x8, top: 4x4");
  const Operator& tables = operator_of(model, "embedding");
  EXPECT_EQ(tables.kind, OperatorKind::lookup);
  EXPECT_EQ(tables.tables, 3);
  EXPECT_EQ(tables.parameters, 60 * 8);
  EXPECT_EQ(tables.read, 3 * 5 * 8);
  EXPECT_EQ(tables.output, 3 * 8);
  EXPECT_EQ(tables.backward_moved, 3 * 8 + 2 * 3 * 5 * 8);
  EXPECT_EQ(touched_parameters(tables, 3), 3 * tables.read);
  EXPECT_EQ(touched_parameters(tables, 1000), tables.parameters);
  EXPECT_EQ(operator_of(model, "interaction").output, 4 * 3 / 2 + 8);
  EXPECT_EQ(model.blocks, 4);
}

TEST(Recommender, FeaturesAreConcatenatedIfRequested) {
  const Model model = model_of(
      "model: recommender, tables: 3, dimension: 8, bottom: 16x5, top: 4, "
      "interaction: concatenate");
  EXPECT_EQ(operator_of(model, "interaction").output, 3 * 8 + 5);
  EXPECT_EQ(operator_of(model, "top0").product.inner, 3 * 8 + 5);
}

TEST(Recommender, InvalidShapesAreRefused) {
  EXPECT_EQ(refusal_of("model: recommender, tables: 3, rows: 10x20"),
            "test.yaml:1: workload.rows is 10x20; one number, or one for each of 3 tables, is "
            "needed");
  EXPECT_EQ(
      refusal_of("model: recommender, bottom: 512x64"),
      "test.yaml:1: workload.bottom is 512x64; a last width equal to dimension (128) is needed "
      "to multiply features");
  EXPECT_EQ(refusal_of("model: recommender, top: 2000000x1"),
            "test.yaml:1: workload.top is 2000000x1; every size may be at most 1000000");
}

TEST(Collaborative, BothBranchesHaveTheirOwnTables) {
  const Model model = model_of(
      "model: collaborative, users: 10, items: 20, tables: 2, factors: 4, dimension: 6, "
      "widths: 8x3");
  EXPECT_EQ(operator_of(model, "factors.embedding").parameters, 2 * 30 * 4);
  EXPECT_EQ(operator_of(model, "dense.embedding").parameters, 2 * 30 * 6);
  EXPECT_EQ(operator_of(model, "dense.embedding").tables, 4);
  EXPECT_EQ(operator_of(model, "dense0").product.inner, 4 * 6);
  EXPECT_EQ(operator_of(model, "final.score").product.inner, 3 + 2 * 4);
  EXPECT_EQ(model.blocks, 4);
  EXPECT_EQ(model.boundary(0), 2 * 4 + 4 * 6);
}

TEST(Towers, TheSameLayerOfEveryTowerIsABlock) {
  const Model shared = model_of("model: candle-uno-released");
  EXPECT_EQ(shared.blocks, 3 + 3 + 1);
  EXPECT_EQ(operator_of(shared, "drugs.descriptors0").product.rows, 2);
  EXPECT_EQ(shared.boundary(2), 5000);
  const Model apart = model_of("model: candle-uno-released, shared: false");
  EXPECT_EQ(apart.forward_flops(), shared.forward_flops());
  EXPECT_EQ(apart.parameters(), shared.parameters() + 7'273'000 + 4'051'000);
}

TEST(Mlp, LayersArePartitionedByColumnsAndRowsAlternately) {
  const Model model = model_of("model: mlp, inputs: 10, widths: 20x30x40");
  EXPECT_EQ(model.parameters(), 11 * 20 + 21 * 30 + 31 * 40);
  EXPECT_EQ(model.blocks, 3);
  EXPECT_EQ(operator_of(model, "layer0").tensor, TensorSharding::column);
  EXPECT_EQ(operator_of(model, "layer0.relu").tensor, TensorSharding::sharded);
  EXPECT_EQ(operator_of(model, "layer1").tensor, TensorSharding::row);
  EXPECT_EQ(operator_of(model, "layer2").tensor, TensorSharding::replicated);
  EXPECT_EQ(model_of("model: mlp, inputs: 10, widths: 20, bias: false").parameters(), 200);
}

TEST(Mlp, InvalidShapesAreRefused) {
  EXPECT_EQ(refusal_of("model: mlp, inputs: 10"),
            "test.yaml:1: workload lacks 'widths' (width of each layer's output, such as "
            "4096x4096x1000)");
  EXPECT_EQ(refusal_of("model: mlp, inputs: 10, widths: 20x1000001"),
            "test.yaml:1: workload.widths is 20x1000001; every size may be at most 1000000");
}

}  // namespace
}  // namespace loom::model
