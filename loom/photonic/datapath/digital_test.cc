#include "loom/photonic/datapath/digital.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loom/photonic/testing.h"

namespace loom::photonic {
namespace {

PhotonicLayer layer_of(int outputs) {
  PhotonicLayer layer;
  layer.input = {.channels = 1};
  layer.outputs = outputs;
  return layer;
}

TEST(Activations, AreScaledByThePowerOfTwoThatFillsEightBits) {
  const std::vector<std::int32_t> sums = {1000, 3, -5, 512};
  const Activations result = activate(layer_of(4), sums, 0);
  EXPECT_EQ(result.values, (std::vector<std::uint8_t>{250, 0, 0, 128}));
  EXPECT_EQ(result.exponent, 2);
}

TEST(Activations, SmallLayersAreScaledUp) {
  const Activations result = activate(layer_of(3), std::vector<std::int32_t>{5, 1, -9}, 3);
  EXPECT_EQ(result.values, (std::vector<std::uint8_t>{160, 32, 0}));
  EXPECT_EQ(result.exponent, -2);
}

TEST(Activations, ALayerOfZerosIsNotScaled) {
  const Activations result = activate(layer_of(2), std::vector<std::int32_t>{-1, 0}, 3);
  EXPECT_EQ(result.values, (std::vector<std::uint8_t>{0, 0}));
  EXPECT_EQ(result.exponent, 3);
}

TEST(Activations, OfAPoolAreItsMaximum) {
  PhotonicLayer layer;
  layer.kind = PhotonicLayerKind::convolution;
  layer.input = {1, 3, 3};
  layer.pool = 2;
  layer.pool_stride = 1;
  const std::vector<std::int32_t> sums = {1, 2, 3, 4, 5, 6, 7, 8, 128};
  EXPECT_EQ(activate(layer, sums, 0).values, (std::vector<std::uint8_t>{5, 6, 8, 128}));
}

TEST(Sums, BeyondSixteenBitsWrapAndAreCounted) {
  std::int64_t overflows = 0;
  const std::vector<std::int64_t> sums = {32767, 32768, -32768, -32769, 5};
  EXPECT_EQ(wrapped(sums, overflows), (std::vector<std::int32_t>{32767, -32768, -32768, 32767, 5}));
  EXPECT_EQ(overflows, 2);
}

TEST(Sums, StartWithTheBiasInTheUnitsOfTheLayer) {
  PhotonicLayer layer = layer_of(2);
  layer.biases = {std::int64_t{100} << 16, -(std::int64_t{100} << 16)};
  EXPECT_EQ(first_sum(layer, 0, 0), 100);
  EXPECT_EQ(first_sum(layer, 0, 2), 25);
  EXPECT_EQ(first_sum(layer, 1, 3), -13);  // rounded down
  EXPECT_EQ(first_sum(layer, 1, -20), -100 * (std::int64_t{1} << 20));
  EXPECT_EQ(first_sum(layer, 0, -60), std::int64_t{1} << 31);
}

TEST(Operands, AreThoseUnderTheKernel) {
  Random random = random_stream(9);
  for (int i = 0; i < 100; ++i) {
    const PhotonicShape shape{between(random, 1, 4), between(random, 1, 7), between(random, 1, 7)};
    const PhotonicLayer layer = random_convolution(random, shape);
    const std::vector<std::uint8_t> input = random_input(random, elements(shape));
    const std::vector<std::int64_t> expected = plain_sums(layer, input);
    std::vector<std::uint8_t> operands(static_cast<std::size_t>(vector_length(layer)));
    for (std::size_t d = 0; d < expected.size(); ++d) {
      const DotProduct dot = dot_product(layer, static_cast<std::int64_t>(d));
      gather_operands(layer, input, dot, operands);
      std::int64_t sum = 0;
      for (std::size_t e = 0; e < operands.size(); ++e) {
        const int weight =
            layer.weights[static_cast<std::size_t>(dot.output) * operands.size() + e];
        const int product = (operands[e] * std::abs(weight)) >> 8;
        sum += weight < 0 ? -product : product;
      }
      EXPECT_EQ(sum, expected[d]);
    }
  }
}

TEST(Softmax, IsTheLogarithmOfProbabilitiesThatSumToOne) {
  const std::vector<double> small = log_softmax(std::vector<std::int32_t>{10, 20, 30}, 0.1);
  const double sum = std::exp(1.0) + std::exp(2.0) + std::exp(3.0);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(small[static_cast<std::size_t>(i)], i + 1 - std::log(sum), 1e-12);
  const std::vector<double> large = log_softmax(std::vector<std::int32_t>{32767, -32768}, 1);
  EXPECT_EQ(large[0], 0);
  EXPECT_EQ(large[1], -65535);
}

TEST(Softmax, TheLabelIsTheFirstLargestLogit) {
  EXPECT_EQ(largest_index(std::vector<std::int32_t>{3, 7, 7, 1}), 1);
}

}  // namespace
}  // namespace loom::photonic
