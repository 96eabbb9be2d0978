#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "loom/base/csv.h"
#include "loom/photonic/serving/served_model.h"

namespace loom::photonic {
namespace {

constexpr std::array<CsvColumn, 5> kColumns = {{{"model", ValueType::text},
                                                {"layer_id", ValueType::integer},
                                                {"vec_len", ValueType::integer},
                                                {"num_vvp", ValueType::integer},
                                                {"prereqs", ValueType::text}}};
constexpr std::int64_t kMaxValue = 1'000'000'000;  // limit of vector lengths and layer numbers
constexpr std::int64_t kMaxProducts = 100'000'000'000;
// Limit of the multiplications of a layer: eleven days on a core with 1 GHz.
constexpr std::int64_t kMaxWork = 1'000'000'000'000'000;

// The rows of one model: the row of each layer number.
struct Rows {
  std::string name;
  std::map<std::int64_t, std::size_t> of;
};

std::vector<Rows> rows_by_model(const CsvTable& table) {
  std::vector<Rows> models;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string name(table.text(row, "model"));
    auto found =
        std::find_if(models.begin(), models.end(), [&](const Rows& it) { return it.name == name; });
    if (found == models.end()) found = models.insert(models.end(), Rows{name, {}});
    const std::int64_t id = table.integer(row, "layer_id", 0, kMaxValue);
    if (!found->of.emplace(id, row).second) {
      table.refuse(row, "layer_id", fmt::format("a unique number within {} is needed", name));
    }
  }
  return models;
}

std::vector<int> prerequisites(const CsvTable& table, std::size_t row, std::int64_t id,
                               const std::map<std::int64_t, int>& positions) {
  std::vector<int> after;
  std::string_view rest = table.text(row, "prereqs");
  while (!rest.empty()) {
    std::int64_t before = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), before);
    const auto found = positions.find(before);
    if (error != std::errc() || found == positions.end() || before >= id) {
      table.refuse(row, "prereqs", "numbers of earlier layers, separated by spaces, are needed");
    }
    if (std::find(after.begin(), after.end(), found->second) != after.end()) {
      table.refuse(row, "prereqs", "distinct layers are needed");
    }
    after.push_back(found->second);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
  }
  return after;
}

int longest_chain(const std::vector<ServedLayer>& layers) {
  std::vector<int> length(layers.size(), 1);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    for (const int before : layers[i].after) {
      length[i] = std::max(length[i], length[static_cast<std::size_t>(before)] + 1);
    }
  }
  return *std::max_element(length.begin(), length.end());
}

ServedModel read_model(const CsvTable& table, const Rows& rows,
                       const std::vector<ServedModel>& published) {
  ServedModel model;
  model.name = rows.name;
  std::map<std::int64_t, int> positions;
  for (const auto& [id, row] : rows.of) {
    const std::int64_t vector = table.integer(row, "vec_len", 1, kMaxValue);
    const std::int64_t products = table.integer(row, "num_vvp", 1, kMaxProducts);
    if (products > kMaxWork / vector) {
      table.refuse(row, "num_vvp",
                   fmt::format("at most {} multiplications are possible", kMaxWork));
    }
    model.layers.push_back({vector, products, prerequisites(table, row, id, positions)});
    positions.emplace(id, static_cast<int>(model.layers.size()) - 1);
  }
  model.passes = longest_chain(model.layers);
  if (const ServedModel* known = find_model(published, model.name)) {
    model.input = known->input;
    model.output = known->output;
    model.passes = known->passes;
  }
  return model;
}

}  // namespace

std::vector<ServedModel> parse_layer_table(std::string text, const std::string& source) {
  const CsvTable table = parse_csv(std::move(text), source, kColumns);
  if (table.rows() == 0)
    throw InputError(location_of(source, 1), "the file has no layers; at least one is needed");
  const std::vector<ServedModel> published = published_models();
  std::vector<ServedModel> models;
  for (const Rows& rows : rows_by_model(table)) {
    models.push_back(read_model(table, rows, published));
  }
  return models;
}

}  // namespace loom::photonic
