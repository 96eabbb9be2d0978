#include "loom/model/families/split_tables.h"

#include <fmt/format.h>

namespace loom::model {
namespace {

// The lookup of table `index` alone. Every count is divided by the number of tables, and the first
// tables get the remainder; only the parameters are the table's own, if tables differ.
Operator one_table(const Operator& op, int index) {
  const auto share = [&](std::int64_t all) {
    return all / op.tables + (index < all % op.tables ? 1 : 0);
  };
  Operator it = op;
  it.name = fmt::format("{}.{}", op.name, index);
  it.parameters = op.table_parameters.empty()
                      ? share(op.parameters)
                      : op.table_parameters[static_cast<std::size_t>(index)];
  it.output = share(op.output);
  it.read = share(op.read);
  it.written = share(op.written);
  it.backward_moved = share(op.backward_moved);
  it.saved = share(op.saved);
  it.masks = share(op.masks);
  it.tables = 1;
  it.table_parameters.clear();
  return it;
}

}  // namespace

Model split_tables(const Model& model) {
  Model split = model;
  split.operators.clear();
  std::vector<std::vector<int>> now;  // indices in the split model, per operator of the model
  for (const Operator& op : model.operators) {
    Operator it = op;
    it.inputs.clear();
    for (const int input : op.inputs) {
      const std::vector<int>& tables = now[static_cast<std::size_t>(input)];
      it.inputs.insert(it.inputs.end(), tables.begin(), tables.end());
    }
    std::vector<int>& numbers = now.emplace_back();
    const int count = op.tables > 1 ? op.tables : 1;
    for (int t = 0; t < count; ++t) {
      numbers.push_back(static_cast<int>(split.operators.size()));
      split.operators.push_back(count > 1 ? one_table(it, t) : it);
    }
  }
  return split;
}

}  // namespace loom::model
