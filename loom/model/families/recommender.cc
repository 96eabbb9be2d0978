// DLRM, NeuMF and Uno: tables, towers and their combination.
#include "loom/model/families/recommender.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "loom/model/families/mlp.h"

namespace loom::model {
namespace {

constexpr std::int64_t kMaxTables = 1 << 14;
constexpr std::int64_t kMaxDimension = 1 << 14;
constexpr std::array<std::string_view, 2> kInteractions = {"dot", "concatenate"};

constexpr Parameter kLookups =
    integer_parameter("lookups", "number of rows read from each table and summed", "1", 1, 1 << 20);

constexpr std::array kRecommenderParameters = {
    integer_parameter("tables", "number of embedding tables", "26", 1, kMaxTables),
    shape_parameter("rows", "number of rows of every table, or of each, such as 1000x200x30",
                    "1000000"),
    integer_parameter("dimension", "width of an embedding", "128", 1, kMaxDimension),
    kLookups,
    integer_parameter("dense_features", "width of the dense input", "13", 1, 1'000'000),
    shape_parameter("bottom", "widths of the layers for dense features", "512x256x128"),
    Parameter{.name = "interaction",
              .type = ValueType::choice,
              .summary = "dot products of all pairs of features, or concatenation of the features",
              .fallback = "dot",
              .choices = kInteractions},
    shape_parameter("top", "widths of the layers before the score", "1024x1024x512x256"),
};

constexpr std::array kCollaborativeParameters = {
    required_integer("users", "number of rows of each table of users", 1'000'000'000),
    required_integer("items", "number of rows of each table of items", 1'000'000'000),
    integer_parameter("tables",
                      "number of user tables, and of item tables, in each of the two branches", "1",
                      1, kMaxTables),
    integer_parameter("factors", "width of the embeddings that are multiplied", "64", 1,
                      kMaxDimension),
    integer_parameter("dimension", "width of the embeddings for the dense layers", "128", 1,
                      kMaxDimension),
    kLookups,
    shape_parameter("widths", "widths of the dense layers", "256x128x64"),
};

constexpr std::array kTowersParameters = {
    integer_parameter("cell", "number of features of the cell line (gene expression)", "942", 1,
                      1'000'000),
    integer_parameter("descriptors", "number of descriptors of each of two drugs", "5270", 1,
                      1'000'000),
    integer_parameter("fingerprints", "number of fingerprint features of each of two drugs", "2048",
                      1, 1'000'000),
    shape_parameter("tower", "widths of the layers for each group of features", "1000x1000x1000"),
    shape_parameter("dense", "widths of the layers for the features of all groups together",
                    "1000x1000x1000"),
    boolean_parameter("shared", "layers shared by both drugs", "true"),
};

struct Tables {
  std::int64_t count = 0;
  std::vector<std::int64_t> rows;  // per table
  std::int64_t dimension = 0;
  std::int64_t lookups = 0;
};

// Embedding lookup: reads `lookups` rows of each table and sums them. Backward reads the gradients
// of the sums, and reads and writes these rows in the gradients of the tables. The row indices, 8
// bytes each, are kept.
int add_tables(ModelBuilder& builder, std::string name, const Tables& tables) {
  const std::int64_t sums = tables.count * tables.dimension;
  const std::int64_t read = sums * tables.lookups;
  std::vector<std::int64_t> parameters;
  std::int64_t all = 0;
  for (const std::int64_t rows : tables.rows) {
    parameters.push_back(rows * tables.dimension);
    all += parameters.back();
  }
  const bool uniform = std::all_of(parameters.begin(), parameters.end(),
                                   [&](std::int64_t it) { return it == parameters.front(); });
  builder.keep(true);
  const int lookup = builder.add(
      {.name = std::move(name),
       .kind = OperatorKind::lookup,
       .parameters = all,
       .output = sums,
       .read = read,
       .written = sums,
       .backward_moved = sums + 2 * read,
       .masks = 8 * tables.count * tables.lookups,
       .tables = static_cast<int>(tables.count),
       .table_parameters = uniform ? std::vector<std::int64_t>{} : std::move(parameters)});
  builder.keep(false);
  return lookup;
}

std::vector<std::int64_t> rows_of_tables(const Settings& settings, std::int64_t tables) {
  std::vector<std::int64_t> rows =
      bounded_shape(settings, "rows", static_cast<std::size_t>(kMaxTables), 1'000'000'000);
  if (rows.size() == 1) rows.resize(static_cast<std::size_t>(tables), rows.front());
  if (static_cast<std::int64_t>(rows.size()) != tables) {
    settings.refuse("rows",
                    fmt::format("one number, or one for each of {} tables, is needed", tables));
  }
  return rows;
}

// The dot product of each pair of `vectors` vectors, concatenated with the dense features. The
// products form a square matrix, from which the elements below the diagonal are copied.
int add_dots(ModelBuilder& builder, std::vector<int> inputs, std::int64_t vectors,
             std::int64_t dimension) {
  const std::int64_t kept = vectors * (vectors - 1) / 2 + dimension;
  const int products =
      builder.add({.name = "interaction.products",
                   .kind = OperatorKind::attention,
                   .inputs = inputs,
                   .product = {.rows = vectors, .inner = dimension, .columns = vectors},
                   .output = vectors * vectors,
                   .saved = vectors * dimension});
  inputs.push_back(products);
  return builder.add(concatenation_operator("interaction", std::move(inputs), kept));
}

int add_interaction(ModelBuilder& builder, const Settings& settings, std::vector<int> inputs,
                    const Tables& tables, std::int64_t dense) {
  if (settings.text("interaction") == "concatenate") {
    return builder.add(concatenation_operator("interaction", std::move(inputs),
                                              tables.count * tables.dimension + dense));
  }
  if (dense != tables.dimension) {
    settings.refuse("bottom", fmt::format("a last width equal to dimension ({}) is needed to "
                                          "multiply features",
                                          tables.dimension));
  }
  return add_dots(builder, std::move(inputs), tables.count + 1, tables.dimension);
}

// The tables and the bottom stack are the first block; every layer of the top stack is a block.
Model build_recommender(const Settings& settings) {
  const std::int64_t count = settings.integer("tables");
  const Tables tables = {count, rows_of_tables(settings, count), settings.integer("dimension"),
                         settings.integer("lookups")};
  const std::vector<std::int64_t> bottom = read_widths(settings, "bottom");
  const std::vector<std::int64_t> top = read_widths(settings, "top");
  ModelBuilder builder(settings, "rows");
  const int embedding = add_tables(builder, "embedding", tables);
  const int dense =
      add_dense_stack(builder, {.name = "bottom", .inner = settings.integer("dense_features")},
                      bottom, false, StackEnd::features);
  builder.next_block();
  const int interaction =
      add_interaction(builder, settings, {dense, embedding}, tables, bottom.back());
  add_dense_stack(builder,
                  {.name = "top", .input = interaction, .inner = builder.output(interaction)}, top,
                  true, StackEnd::score);
  return builder.finish();
}

// An elementwise product keeps both inputs; backward reads them and the gradient, and writes two
// gradients.
int add_factors(ModelBuilder& builder, int embedding, std::int64_t factors) {
  Operator product =
      memory_operator("factors.product", {embedding}, factors, {2 * factors, factors, 5 * factors});
  product.saved = 2 * factors;
  return builder.add(std::move(product));
}

// The tables are the first block, every dense layer is a block, and the score is the last block.
Model build_collaborative(const Settings& settings) {
  const std::int64_t count = settings.integer("tables");
  std::vector<std::int64_t> rows(static_cast<std::size_t>(count), settings.integer("users"));
  rows.resize(static_cast<std::size_t>(2 * count), settings.integer("items"));
  const std::int64_t factors = count * settings.integer("factors");
  const std::int64_t lookups = settings.integer("lookups");
  const std::vector<std::int64_t> widths = read_widths(settings, "widths");
  ModelBuilder builder(settings, "users");
  const int multiplied = add_tables(builder, "factors.embedding",
                                    {2 * count, rows, settings.integer("factors"), lookups});
  const int product = add_factors(builder, multiplied, factors);
  const int dense = add_tables(builder, "dense.embedding",
                               {2 * count, rows, settings.integer("dimension"), lookups});
  builder.next_block();
  const int last =
      add_dense_stack(builder, {.name = "dense", .input = dense, .inner = builder.output(dense)},
                      widths, true, StackEnd::features);
  builder.next_block();
  const int both = builder.add(
      concatenation_operator("concatenation", {product, last}, factors + widths.back()));
  add_dense_stack(builder, {.name = "final", .input = both, .inner = builder.output(both)}, {},
                  false, StackEnd::score);
  return builder.finish();
}

struct Tower {
  std::string name;
  std::int64_t features = 0;
  std::int64_t rows = 1;  // 2: both drugs use the same layers
};

std::vector<Tower> towers_of(const Settings& settings) {
  std::vector<Tower> towers;
  towers.push_back({"cell", settings.integer("cell")});
  for (const std::string kind : {"descriptors", "fingerprints"}) {
    if (settings.boolean("shared")) {
      towers.push_back({"drugs." + kind, settings.integer(kind), 2});
    } else {
      towers.push_back({"drug1." + kind, settings.integer(kind)});
      towers.push_back({"drug2." + kind, settings.integer(kind)});
    }
  }
  return towers;
}

// Layer i of all towers is one block; then every dense layer is a block. In between, five outputs
// of towers (one of the cell line, two of each drug) and the doses of the two drugs are
// concatenated.
Model build_towers(const Settings& settings) {
  const std::vector<std::int64_t> widths = read_widths(settings, "tower");
  const std::vector<std::int64_t> dense = read_widths(settings, "dense");
  const std::vector<Tower> towers = towers_of(settings);
  ModelBuilder builder(settings, "tower");
  std::vector<int> last(towers.size(), -1);
  for (std::size_t layer = 0; layer < widths.size(); ++layer) {
    for (std::size_t i = 0; i < towers.size(); ++i) {
      last[i] = add_dense_relu(builder,
                               {.name = fmt::format("{}{}", towers[i].name, layer),
                                .input = last[i],
                                .rows = towers[i].rows,
                                .inner = layer == 0 ? towers[i].features : widths[layer - 1],
                                .columns = widths[layer],
                                .tensor = stack_sharding(layer, widths.size())},
                               layer + 1 == widths.size());
    }
    builder.next_block();
  }
  const int joined =
      builder.add(concatenation_operator("concatenation", last, 5 * widths.back() + 2));
  add_dense_stack(builder, {.name = "dense", .input = joined, .inner = builder.output(joined)},
                  dense, true, StackEnd::score);
  return builder.finish();
}

}  // namespace

const ModelFamily kRecommenderFamily = {
    "recommender", "embedding tables, dense features and their interaction (DLRM)",
    kRecommenderParameters, build_recommender};
const ModelFamily kCollaborativeFamily = {
    "collaborative", "user and item embeddings, multiplied and through dense layers (NeuMF)",
    kCollaborativeParameters, build_collaborative};
const ModelFamily kTowersFamily = {
    "towers", "dense layers for each group of features, then for all (CANDLE Uno)",
    kTowersParameters, build_towers};

}  // namespace loom::model
