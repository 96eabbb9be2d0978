#include "loom/photonic/datapath/functional.h"

#include <gtest/gtest.h>

#include "loom/photonic/datapath/digital.h"
#include "loom/photonic/testing.h"

namespace loom::photonic {
namespace {

void expect_same(const PhotonicResult& a, const PhotonicResult& b) {
  EXPECT_EQ(a.logits, b.logits);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.log_probabilities, b.log_probabilities);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.overflows, b.overflows);
  EXPECT_EQ(a.clipped, b.clipped);
}

TEST(Functional, MatchesTheDefinition) {
  constexpr int kSeed = 21;
  Random random = random_stream(kSeed);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", network " + std::to_string(i));
    PhotonicNetwork network = random_network(random);
    for (PhotonicLayer& layer : network.layers) layer.biases.clear();
    ASSERT_EQ(objection(network), std::nullopt);
    std::vector<std::uint8_t> values = random_input(random, input_size(network));
    const PhotonicResult result = run(network, values, {.keep_layers = true});
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      std::int64_t overflows = 0;
      const auto sums = wrapped(plain_sums(network.layers[l], values), overflows);
      EXPECT_EQ(result.layers[l].sums, sums);
      if (l + 1 == network.layers.size()) break;
      values = activate(network.layers[l], sums, 0).values;
      EXPECT_EQ(result.layers[l].activations, values);
    }
    EXPECT_EQ(result.logits, result.layers.back().sums);
    EXPECT_EQ(result.label, largest_index(result.logits));
  }
}

// 16 bits hold at most 128 products of 254: sums are widened before that.
TEST(Functional, LongVectorsDoNotOverflowTheNarrowSums) {
  PhotonicLayer layer;
  layer.name = "long";
  layer.input = {.channels = 5000};
  layer.outputs = 3;
  layer.relu = false;
  layer.weights.assign(5000, 255);
  layer.weights.resize(10'000, -255);
  layer.weights.resize(15'000, 0);
  const std::vector<std::uint8_t> input(5000, 255);
  const PhotonicResult result = run({"long", {layer}}, input);
  EXPECT_EQ(result.overflows, 2);
  EXPECT_EQ(result.logits[0], static_cast<std::int16_t>(5000 * 254));
  EXPECT_EQ(result.logits[1], static_cast<std::int16_t>(-5000 * 254));
  EXPECT_EQ(result.logits[2], 0);
}

TEST(Functional, SampleBySampleWithoutNoiseMatchesTheFastPath) {
  Random random = random_stream(5);
  for (int i = 0; i < 30; ++i) {
    const PhotonicNetwork network = random_network(random);
    const auto input = random_input(random, input_size(network));
    const PhotonicNoise almost_none{.sample_sigma = 1e-12};
    // Light exactly at the edge of a level could fall below it, so each product gets half a step
    // more.
    const PhotonicResult fast = run(network, input, {.keep_layers = true});
    const PhotonicResult slow = run(network, input, {.noise = almost_none, .keep_layers = true});
    ASSERT_EQ(fast.layers.size(), slow.layers.size());
    std::int64_t apart = 0;
    for (std::size_t s = 0; s < fast.layers[0].sums.size(); ++s) {
      apart =
          std::max<std::int64_t>(apart, std::abs(fast.layers[0].sums[s] - slow.layers[0].sums[s]));
    }
    EXPECT_LE(apart, vector_length(network.layers[0]) / 16 + 2);
  }
}

TEST(Functional, OneWavelengthInTwoPassesGivesTheSameSums) {
  Random random = random_stream(6);
  for (int i = 0; i < 30; ++i) {
    PhotonicNetwork network = random_network(random);
    const auto input = random_input(random, input_size(network));
    const PhotonicResult one = run(network, input, {.keep_layers = true});
    const PhotonicResult two =
        run(network, input, {.keep_layers = true}, {.wavelengths = 2, .adc_range = 1});
    for (std::size_t s = 0; s < one.layers[0].sums.size(); ++s) {
      // Two products are truncated once instead of twice, and to even numbers.
      EXPECT_NEAR(one.layers[0].sums[s], two.layers[0].sums[s],
                  2.0 * static_cast<double>(vector_length(network.layers[0])));
    }
  }
}

TEST(Functional, AnyNumberOfThreadsGivesTheSameResult) {
  Random random = random_stream(7);
  const PhotonicProgram program(dense_network(random, {40, 30, 10}));
  const auto inputs = random_input(random, 12'000);
  const PhotonicNoise noise{.sample_sigma = 1.657, .output_sigma = 1.657, .seed = 4};
  const auto serial = run_all(program, inputs, noise, 1);
  const auto together = run_all(program, inputs, noise, 4);
  ASSERT_EQ(serial.size(), 300U);
  for (std::size_t i = 0; i < serial.size(); ++i) expect_same(serial[i], together[i]);
  const auto single = program.run(std::span(inputs).subspan(680, 40), {noise, 17, false});
  expect_same(serial[17], single);
}

TEST(Functional, NoiseFollowsItsSeed) {
  Random random = random_stream(8);
  const PhotonicProgram program(dense_network(random, {64, 32, 10}));
  const auto input = random_input(random, 64);
  const auto with = [&](std::uint64_t seed) {
    return program.run(input, {{.sample_sigma = 3, .seed = seed}, 0, false}).logits;
  };
  EXPECT_EQ(with(1), with(1));
  EXPECT_NE(with(1), with(2));
}

TEST(Functional, TheMaskKeepsZeroOperandsFromAddingNoise) {
  PhotonicLayer layer;
  layer.name = "sparse";
  layer.input = {.channels = 160};
  layer.outputs = 1;
  layer.relu = false;
  layer.weights.assign(160, 255);
  const std::vector<std::uint8_t> dark(160, 0);
  const PhotonicRunOptions noisy{{.sample_sigma = 1.657}, 0, false};
  EXPECT_EQ(run({"sparse", {layer}}, dark, noisy).logits[0], 0);
  EXPECT_GT(run({"sparse", {layer}}, dark, noisy, {.mask_zero_operands = false}).logits[0], 20);
}

}  // namespace
}  // namespace loom::photonic
