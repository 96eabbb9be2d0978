// Compares the presets with their published sizes and flops.
#include <cmath>
#include <map>

#include "loom/model/testing.h"

namespace loom::model {
namespace {

// Parameters as counted in released checkpoints: torchvision's model pages; the safetensors of
// bert-large-uncased, gpt2-xl, Llama-3.1-8B, -70B, -405B and Mixtral-8x7B-v0.1 (Hugging Face); the
// summary in Pilot1/Uno/README.md of ECP-CANDLE Benchmarks; MLPerf's NeuMF for MovieLens 20M.
const std::map<std::string, std::int64_t> kReleased = {
    {"resnet-50", 25'557'032},
    {"resnet-101", 44'549'160},
    {"resnet-152", 60'192'808},
    {"vgg-11", 132'863'336},
    {"vgg-16", 138'357'544},
    {"vgg-19", 143'667'240},
    {"bert-large", 336'226'108},
    {"gpt2-1.5b", 1'557'611'200},
    {"llama3-8b", 8'030'261'248},
    {"llama3-70b", 70'553'706'496},
    {"llama3-405b", 405'853'388'800},
    {"mixtral-8x7b", 46'702'792'704},
    {"candle-uno-released", 21'275'001},
    {"ncf-mlperf", 31'832'577},
};

TEST(Presets, HaveTheParametersOfTheReleasedCheckpoints) {
  for (const auto& released : kReleased) {
    EXPECT_EQ(model_of("model: " + released.first).parameters(), released.second) << released.first;
  }
}

struct Published {
  std::string model;
  double figure;
  double rounding;  // half of the last published digit
};

// GPT-3: table 2.1; Megatron-LM: table 1; Mixtral: 12.9 B active, section 2.1.
TEST(Presets, HaveThePublishedParametersWithinTheirRounding) {
  for (const Published& it :
       {Published{"gpt3-175b", 175.0e9, 0.5e9}, Published{"megatron-8.3b", 8.3e9, 0.05e9},
        Published{"mixtral-8x7b", 12.9e9, 0.05e9}}) {
    const auto active = static_cast<double>(model_of("model: " + it.model).active_parameters());
    EXPECT_NEAR(active, it.figure, it.rounding) << it.model;
  }
  // Table 3 gives 213 million for about 37,000 tokens; exactly 37,000 give slightly more.
  EXPECT_NEAR(static_cast<double>(model_of("model: transformer-big").parameters()), 213e6,
              0.01 * 213e6);
  // The GPT-3 of table D.1: 174.6 billion.
  EXPECT_EQ(model_of("model: gpt3-175b").parameters(), 174'604'259'328);
}

TEST(Presets, BertWithoutHeadsIsBertModel) {
  EXPECT_EQ(model_of("model: bert-large, head: none").parameters(), 335'141'888);
}

// Multiply-adds in 10^9, as given on torchvision's pages for its weights.
TEST(Presets, ConvolutionalNetworksHaveThePublishedFlops) {
  const std::map<std::string, double> published = {{"resnet-50", 4.09},   {"resnet-101", 7.80},
                                                   {"resnet-152", 11.51}, {"vgg-11", 7.61},
                                                   {"vgg-16", 15.47},     {"vgg-19", 19.63}};
  for (const auto& it : published) {
    const auto flops = static_cast<double>(model_of("model: " + it.first).forward_flops());
    EXPECT_NEAR(flops / 2e9, it.second, 0.005 * it.second) << it.first;
  }
}

// Narayanan et al. (arXiv 2104.04473, section 5.1) give 96 B s l h² (1 + s/6h + V/16lh) with full
// recomputation; without it, that is 72 B s l h² (1 + s/6h + V/12lh).
TEST(Presets, GptHasTheFlopsOfTheFormula) {
  for (const std::string name : {"gpt2-1.5b", "megatron-8.3b", "gpt3-175b"}) {
    const Model model = model_of("model: " + name);
    const auto s = static_cast<double>(model.tokens);
    const auto h = static_cast<double>(model.hidden);
    const double l = model.blocks;
    const double vocabulary = name == "megatron-8.3b" ? 51200 : 50257;
    const double flops = 72 * s * l * h * h * (1 + s / (6 * h) + vocabulary / (12 * l * h));
    EXPECT_NEAR(static_cast<double>(model.training_flops()) / flops, 1, 1e-9) << name;
  }
}

// Six flops for each weight that multiplies a token, twelve for each pair of tokens, layer and
// element of the width; a token attends to half of the pairs.
TEST(Presets, LlamaHasTheFlopsOfItsWeightsAndItsAttention) {
  for (const std::string name : {"llama3-8b", "llama3-70b", "llama3-405b", "mixtral-8x7b"}) {
    const Model model = model_of("model: " + name);
    const std::int64_t vocabulary = name == "mixtral-8x7b" ? 32'000 : 128'256;
    const std::int64_t norms = (2 * model.blocks + 1) * model.hidden;
    const std::int64_t weights = model.active_parameters() - vocabulary * model.hidden - norms;
    EXPECT_EQ(model.training_flops(), 6 * model.tokens * weights + 6 * model.tokens * model.tokens *
                                                                       model.hidden * model.blocks)
        << name;
  }
}

// Llama 3 (arXiv 2407.21783, section 3.2): 3.8 × 10^25 flops for 15.6 × 10^12 tokens, without
// attention, which adds 4 % for sequences of 8192.
TEST(Presets, Llama405TrainsWithThePublishedFlops) {
  const Model model = model_of("model: llama3-405b, sequence: 1");
  EXPECT_NEAR(static_cast<double>(model.training_flops()) * 15.6e12, 3.8e25, 0.02 * 3.8e25);
}

// Per layer 4 h² for attention and 8 h² for feed-forward, in the decoder 4 h² more; BERT's head
// works on only 76 positions.
TEST(Presets, EncodersHaveTheFlopsOfTheirWeightsAndAttention) {
  const std::int64_t h = 1024;
  std::int64_t s = 512;
  EXPECT_EQ(model_of("model: bert-large").forward_flops(),
            24 * (24 * s * h * h + 4 * s * s * h) + 152 * h * (h + 30'522) + 2 * h * h + 4 * h);
  s = 256;
  EXPECT_EQ(model_of("model: transformer-big").forward_flops(),
            6 * (24 * s * h * h + 4 * s * s * h) + 6 * (32 * s * h * h + 8 * s * s * h) +
                2 * s * h * 37'000);
}

// Parameters of a dense layer with bias.
std::int64_t dense(std::int64_t inputs, std::int64_t outputs) { return (inputs + 1) * outputs; }

TEST(Presets, RecommendersHaveTheSizeOfTheirTablesAndLayers) {
  // 64 tables of 10^7 rows; 7 layers of 2048; 8192 + 2048 into 15 layers of 4096, and a score.
  EXPECT_EQ(model_of("model: dlrm").parameters(), 640'000'000LL * 128 + 7 * dense(2048, 2048) +
                                                      dense(10240, 4096) + 14 * dense(4096, 4096) +
                                                      dense(4096, 1));
  // 187,767,399 rows in 26 tables (MLPerf); 27 · 26 / 2 products and 128 features into the top.
  EXPECT_EQ(model_of("model: dlrm-mlperf").parameters(),
            187'767'399LL * 128 + dense(13, 512) + dense(512, 256) + dense(256, 128) +
                dense(351 + 128, 1024) + dense(1024, 1024) + dense(1024, 512) + dense(512, 256) +
                dense(256, 1));
  // 32 tables each of users and items, 64 and 128 wide; 8192 into 7 layers of 4096.
  EXPECT_EQ(model_of("model: ncf").parameters(), 64'000'000LL * (64 + 128) + dense(8192, 4096) +
                                                     6 * dense(4096, 4096) + dense(4096 + 2048, 1));
  // Five towers of 16 layers, then 8 layers, all 16384 wide.
  const std::int64_t w = 16384;
  EXPECT_EQ(model_of("model: candle-uno").parameters(),
            dense(942, w) + 2 * dense(5270, w) + 2 * dense(2048, w) + 75 * dense(w, w) +
                dense(5 * w + 2, w) + 7 * dense(w, w) + dense(w, 1));
}

std::int64_t dense_flops(std::int64_t inputs, std::int64_t outputs) { return 2 * inputs * outputs; }

TEST(Presets, DenseModelsDoTwoFlopsForEachWeightOutsideTables) {
  EXPECT_EQ(
      model_of("model: ncf-mlperf").forward_flops(),
      dense_flops(256, 256) + dense_flops(256, 128) + dense_flops(128, 64) + dense_flops(128, 1));
  // Between the stacks, the pairwise products of 27 vectors of 128.
  EXPECT_EQ(model_of("model: dlrm-mlperf").forward_flops(),
            dense_flops(13, 512) + dense_flops(512, 256) + dense_flops(256, 128) +
                27 * dense_flops(128, 27) + dense_flops(479, 1024) + dense_flops(1024, 1024) +
                dense_flops(1024, 512) + dense_flops(512, 256) + dense_flops(256, 1));
  // Both drugs pass through two of the three towers.
  EXPECT_EQ(model_of("model: candle-uno-released").forward_flops(),
            dense_flops(942 + 2 * 5270 + 2 * 2048 + 5 * 2000 + 5002 + 2000 + 1, 1000));
}

TEST(Presets, AreSound) {
  for (const ModelPreset& preset : model_presets()) {
    SCOPED_TRACE(preset.name);
    const Model model = model_of("model: " + std::string(preset.name));
    EXPECT_EQ(model.name, preset.name);
    EXPECT_FALSE(preset.source.empty());
    expect_sound(model);
  }
}

}  // namespace
}  // namespace loom::model
