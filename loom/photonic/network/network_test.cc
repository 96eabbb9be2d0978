#include "loom/photonic/network/network.h"

#include <gtest/gtest.h>

#include "loom/photonic/datapath/datapath.h"
#include "loom/photonic/testing.h"

namespace loom::photonic {
namespace {

PhotonicLayer convolution(PhotonicShape input, int outputs, int kernel, int stride, int padding,
                          int pool, int pool_stride) {
  PhotonicLayer layer;
  layer.name = "conv";
  layer.kind = PhotonicLayerKind::convolution;
  layer.input = input;
  layer.outputs = outputs;
  layer.kernel_height = layer.kernel_width = kernel;
  layer.stride = stride;
  layer.padding = padding;
  layer.pool = pool;
  layer.pool_stride = pool_stride;
  return layer;
}

TEST(PhotonicNetwork, TheFirstLayersOfAlexNetHaveTheirPublishedShapes) {
  const PhotonicLayer first = convolution({3, 224, 224}, 64, 11, 4, 2, 3, 2);
  EXPECT_EQ(sums_shape(first), (PhotonicShape{64, 55, 55}));
  EXPECT_EQ(output_shape(first), (PhotonicShape{64, 27, 27}));
  EXPECT_EQ(vector_length(first), 363);
  const PhotonicLayer second = convolution(output_shape(first), 192, 5, 1, 2, 3, 2);
  EXPECT_EQ(output_shape(second), (PhotonicShape{192, 13, 13}));
  EXPECT_EQ(dot_products(second), 192 * 27 * 27);
}

TEST(PhotonicNetwork, AVggBlockKeepsItsSideAndPoolsToHalf) {
  const PhotonicLayer layer = convolution({64, 224, 224}, 64, 3, 1, 1, 2, 2);
  EXPECT_EQ(output_shape(layer), (PhotonicShape{64, 112, 112}));
  EXPECT_EQ(vector_length(layer), 576);
}

TEST(PhotonicNetwork, LayersOfDifferentSizesAreRefused) {
  Random random = random_stream(1);
  PhotonicNetwork network = dense_network(random, {8, 4, 2});
  EXPECT_EQ(objection(network), std::nullopt);
  network.layers[1].input.channels = 5;
  network.layers[1].weights.resize(10);
  EXPECT_EQ(objection(network), "layer 'fc2' takes 5 values; the previous layer gives 4");
}

TEST(PhotonicNetwork, WeightsOfTheWrongCountOrMagnitudeAreRefused) {
  Random random = random_stream(1);
  PhotonicNetwork network = dense_network(random, {2, 2});
  network.layers[0].weights[3] = 256;
  EXPECT_EQ(objection(network), "layer 'fc1': a weight is 256; -255 to 255 are possible");
  network.layers[0].weights.pop_back();
  EXPECT_EQ(objection(network), "layer 'fc1': it has 3 weights; 2 outputs of 2 values need 4");
}

TEST(PhotonicNetwork, OnlyTheLastLayerMayGiveSignedValues) {
  Random random = random_stream(1);
  PhotonicNetwork network = dense_network(random, {2, 2, 2});
  network.layers[0].relu = false;
  EXPECT_EQ(objection(network), "layer 'fc1' has no ReLU; only the last may give signed values");
  EXPECT_EQ(objection(PhotonicNetwork{}), "the network has no layers; at least one is needed");
}

TEST(PhotonicDatapath, LeNet300100TakesTheCyclesOfTheReleasedHardwareDescription) {
  Random random = random_stream(1);
  const PhotonicNetwork network = dense_network(random, {784, 300, 100, 10});
  EXPECT_EQ(network_cycles(network), 16'825);
  EXPECT_EQ(multiplications(network), 266'200);
}

// Σ outputs·⌈inputs/16⌉ + 46 per layer, 45 for the last, + 16 + 2.
TEST(PhotonicDatapath, CyclesFollowFromShapesAlone) {
  Random random = random_stream(3);
  for (int i = 0; i < 50; ++i) {
    std::vector<int> sizes;
    for (int n = between(random, 2, 5); n > 0; --n) sizes.push_back(between(random, 1, 90));
    std::int64_t expected = 2 + 16 - 1;
    for (std::size_t l = 1; l < sizes.size(); ++l) {
      expected += std::int64_t{sizes[l]} * ((sizes[l - 1] + 15) / 16) + 46;
    }
    EXPECT_EQ(network_cycles(dense_network(random, sizes)), expected);
  }
}

TEST(PhotonicDatapath, SeveralWavelengthsSendEachGroupOncePerSign) {
  PhotonicDatapath datapath;
  EXPECT_EQ(streaming_cycles(784, datapath), 49);
  datapath.wavelengths = 2;
  EXPECT_EQ(streaming_cycles(784, datapath), 49);
  datapath.wavelengths = 8;
  EXPECT_EQ(samples_of(784, datapath), 196);
  EXPECT_EQ(streaming_cycles(784, datapath), 13);
}

TEST(PhotonicDatapath, ATimeIsRoundedUp) {
  EXPECT_EQ(cycles_time(1), Duration(3946));  // 1 / 253.44 MHz is 3945.7 ps
  EXPECT_EQ(cycles_time(253'440'000), Duration(1'000'000'000'000));
}

TEST(PhotonicDatapath, InvalidDatapathsAreRefused) {
  EXPECT_EQ(objection(PhotonicDatapath{}), std::nullopt);
  EXPECT_EQ(objection(PhotonicDatapath{.lanes = 12}),
            "lanes is 12; a power of two from 4 to 256 is needed");
  EXPECT_EQ(objection(PhotonicDatapath{.adc_bits = 9}),
            "a converter has 9 bits; 1 to 8 are possible");
  EXPECT_EQ(objection(PhotonicDatapath{.wavelengths = 0}),
            "wavelengths is 0; 1 to 256 are possible");
}

}  // namespace
}  // namespace loom::photonic
