// Reading of models, and invariants of every family for random parameters.
#include "loom/model/catalog.h"

#include <fmt/format.h>

#include <array>
#include <functional>

#include "loom/base/random.h"
#include "loom/model/testing.h"

namespace loom::model {
namespace {

const std::string kNames =
    "resnet-50, resnet-101, resnet-152, vgg-11, vgg-16, vgg-19, transformer-big, bert-large, "
    "gpt2-1.5b, megatron-8.3b, gpt3-175b, llama3-8b, llama3-70b, llama3-405b, mixtral-8x7b, dlrm, "
    "dlrm-mlperf, candle-uno, candle-uno-released, ncf, ncf-mlperf, transformer, vgg, resnet, mlp, "
    "recommender, collaborative, towers";

TEST(Catalog, APresetIsAFamilyWithOtherDefaults) {
  const Model model = model_of("model: gpt3-175b, layers: 48, sequence: 4096, positions: 4096");
  EXPECT_EQ(model.name, "gpt3-175b");
  EXPECT_EQ(model.blocks, 48);
  EXPECT_EQ(model.tokens, 4096);
  EXPECT_EQ(model.hidden, 12288);
}

TEST(Catalog, APresetEqualsItsValuesWrittenOut) {
  Model written = model_of(
      "model: transformer, layers: 48, hidden: 1600, heads: 25, vocabulary: 50257, "
      "sequence: 1024, positions: 1024");
  written.name = "gpt2-1.5b";
  EXPECT_EQ(written, model_of("model: gpt2-1.5b"));
}

TEST(Catalog, KeysReadElsewhereAreIgnored) {
  constexpr std::array<std::string_view, 1> kOthers = {"batch"};
  const Tree map = parse_yaml("{model: vgg-16, batch: 8}", "test.yaml");
  EXPECT_EQ(read_model(map, kOthers).family->name, "vgg");
  EXPECT_EQ(message([&] { read_model(map); }),
            "test.yaml:1: workload has no key 'batch'; known are model, convolutions, image, "
            "classes");
}

TEST(Catalog, NamesAreUniqueAndEveryValueOfAPresetIsKnown) {
  std::set<std::string_view> names;
  for (const ModelFamily& family : model_families()) EXPECT_TRUE(names.insert(family.name).second);
  for (const ModelPreset& preset : model_presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_EQ(model_of("model: " + std::string(preset.name)).name, preset.name);
  }
}

TEST(Catalog, AnUnknownModelIsRefusedWithASuggestion) {
  EXPECT_EQ(refusal_of("model: gtp3-175b"), "test.yaml:1: workload.model is gtp3-175b; one of " +
                                                kNames + " is needed (did you mean 'gpt3-175b'?)");
  EXPECT_EQ(refusal_of("model: [vgg]"),
            "test.yaml:1: workload.model is not a single value; one of " + kNames + " is needed");
  EXPECT_EQ(refusal_of("layers: 3"), "test.yaml:1: workload lacks 'model' (" + kNames + ")");
  EXPECT_EQ(message([] { read_model(parse_yaml("[vgg]", "test.yaml")); }),
            "test.yaml:1: workload is not a map; a model and its parameters are needed");
}

TEST(Catalog, AnErrorNamesTheSourceLocationOfTheUsersValue) {
  const Tree map = parse_yaml("model: gpt3-175b\nlayers: 2\nhidden: 100\n", "test.yaml");
  EXPECT_EQ(
      message([&] { build_model(read_model(map)); }),
      "test.yaml:3: workload.hidden is 100; a multiple of heads (96), or head_size, is needed");
}

class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : random_(random_stream(seed)) {}

  int upto(int max) { return 1 + static_cast<int>(random_(static_cast<std::uint32_t>(max))); }
  bool coin() { return upto(2) == 1; }
  std::string shape(int count, int max) {
    std::string text = std::to_string(upto(max));
    for (int i = 1; i < count; ++i) text += "x" + std::to_string(upto(max));
    return text;
  }

 private:
  Random random_;
};

std::string random_transformer(RandomValues& values) {
  const int kv_heads = values.upto(4);
  const int heads = kv_heads * values.upto(3);
  const int experts = values.coin() ? values.upto(6) : 0;
  const int sequence = values.upto(40);
  std::string text = fmt::format(
      "model: transformer, layers: {}, hidden: {}, heads: {}, kv_heads: {}, vocabulary: {}, "
      "sequence: {}, feed_forward: {}, segments: {}, encoder_layers: {}, predictions: {}, "
      "experts: {}, chosen_experts: {}, positions: {}, norm: {}, attention: {}, head: {}",
      values.upto(4), heads * values.upto(9), heads, kv_heads, values.upto(99), sequence,
      values.upto(50), values.upto(3) - 1, values.upto(3) - 1, values.upto(sequence), experts,
      experts > 0 ? values.upto(experts) : 1, values.coin() ? sequence : 0,
      values.coin() ? "rms" : "layer", values.coin() ? "fused" : "plain",
      std::array{"logits", "masked", "none"}[static_cast<std::size_t>(values.upto(3) - 1)]);
  for (const std::string flag : {"gated", "rotary", "embedding_norm", "norm_bias", "post_norm",
                                 "final_norm", "bias", "tied", "dropout", "causal", "pooler"}) {
    text += fmt::format(", {}: {}", flag, values.coin());
  }
  return text;
}

std::string random_dense(RandomValues& values) {
  const int dimension = values.upto(20);
  switch (values.upto(4)) {
    case 1:
      return fmt::format("model: mlp, inputs: {}, widths: {}, bias: {}", values.upto(30),
                         values.shape(values.upto(6), 30), values.coin());
    case 2:
      return fmt::format(
          "model: recommender, tables: 3, rows: {}, dimension: {}, lookups: {}, bottom: {}x{}, "
          "interaction: {}, top: {}",
          values.shape(3, 50), dimension, values.upto(4), values.upto(9), dimension,
          values.coin() ? "dot" : "concatenate", values.shape(values.upto(5), 30));
    case 3:
      return fmt::format(
          "model: collaborative, users: {}, items: {}, tables: {}, factors: {}, dimension: {}, "
          "widths: {}",
          values.upto(99), values.upto(99), values.upto(3), values.upto(9), dimension,
          values.shape(values.upto(5), 30));
    default:
      return fmt::format("model: towers, cell: {}, tower: {}, dense: {}, shared: {}",
                         values.upto(99), values.shape(values.upto(5), 30),
                         values.shape(values.upto(5), 30), values.coin());
  }
}

std::string random_convnet(RandomValues& values) {
  const std::string rest =
      fmt::format(", image: {}, classes: {}", 31 + values.upto(200), values.upto(99));
  return values.coin() ? "model: vgg, convolutions: " + values.shape(5, 4) + rest
                       : "model: resnet, stages: " + values.shape(4, 4) + rest;
}

TEST(Catalog, EveryFamilyIsSoundForRandomParameters) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomValues values(seed);
    for (const auto& random : {random_transformer, random_dense, random_convnet}) {
      const std::string text = random(values);
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, text));
      expect_sound(model_of(text));
      if (testing::Test::HasFailure()) return;
    }
  }
}

// The min or max of a number, any choice, any boolean, short and long shapes, or nothing.
std::string extreme(RandomValues& values, const Parameter& parameter) {
  constexpr std::array kShapes = {"1", "1000x1x1000x1", "1x2x1x3x1", "1000000x1000000",
                                  "1000000000x1"};
  if (!parameter.required && values.upto(4) == 1) return "";
  std::string value = values.coin() ? "true" : "false";
  if (parameter.type == ValueType::integer) {
    value = std::to_string(values.coin() ? parameter.min : parameter.max);
  } else if (parameter.type == ValueType::shape) {
    value = kShapes[static_cast<std::size_t>(values.upto(kShapes.size()) - 1)];
  } else if (parameter.type == ValueType::choice) {
    const int count = static_cast<int>(parameter.choices.size());
    value = parameter.choices[static_cast<std::size_t>(values.upto(count) - 1)];
  }
  return fmt::format(", {}: {}", parameter.name, value);
}

// With a sanitizer, this shows that nothing overflows before the model is refused.
TEST(Catalog, ExtremeParametersAreRefusedOrCounted) {
  for (const ModelFamily& family : model_families()) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      RandomValues values(seed);
      std::string text = "model: " + std::string(family.name);
      for (const Parameter& parameter : family.parameters) text += extreme(values, parameter);
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, text));
      const std::string refused = message([&] {
        const Model model = model_of(text);
        EXPECT_GT(model.parameters(), 0);
        EXPECT_GE(model.training_flops(), 0);
      });
      EXPECT_TRUE(refused == "no error" || refused.starts_with("test.yaml:1: workload."))
          << refused;
    }
  }
}

}  // namespace
}  // namespace loom::model
