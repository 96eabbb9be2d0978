#include "loom/model/families/split_tables.h"

#include "loom/model/testing.h"

namespace loom::model {
namespace {

std::int64_t sum(const Model& model, std::int64_t Operator::*what) {
  std::int64_t all = 0;
  for (const Operator& op : model.operators) all += op.*what;
  return all;
}

TEST(SplitTables, TotalsDoNotChange) {
  for (const char* name : {"dlrm", "dlrm-mlperf", "ncf", "ncf-mlperf", "vgg-16"}) {
    SCOPED_TRACE(name);
    const Model model = model_of(std::string("model: ") + name);
    const Model split = split_tables(model);
    for (const auto what :
         {&Operator::parameters, &Operator::output, &Operator::read, &Operator::written,
          &Operator::backward_moved, &Operator::saved, &Operator::masks}) {
      EXPECT_EQ(sum(split, what), sum(model, what));
    }
    EXPECT_EQ(split.training_flops(), model.training_flops());
    expect_sound(split);
  }
}

TEST(SplitTables, EachTableIsAnOperatorWithItsOwnRows) {
  const Model split = split_tables(
      model_of("model: recommender, tables: 3, rows: 10x2000x7, dimension: 8, bottom: 16x8"));
  EXPECT_EQ(operator_of(split, "embedding.0").parameters, 80);
  EXPECT_EQ(operator_of(split, "embedding.1").parameters, 16'000);
  EXPECT_EQ(operator_of(split, "embedding.2").parameters, 56);
  const Operator& readers = operator_of(split, "interaction.products");
  EXPECT_EQ(readers.inputs.size(), 4U);
}

TEST(SplitTables, AModelWithoutTablesDoesNotChange) {
  const Model model = model_of("model: mlp, inputs: 8, widths: 8x4");
  EXPECT_EQ(split_tables(model), model);
}

}  // namespace
}  // namespace loom::model
