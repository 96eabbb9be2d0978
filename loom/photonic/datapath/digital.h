// The digital half of a layer: which operands a dot product takes, and what becomes of its sum.
//
// Both engines use these functions, so what they must agree on is only order and time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/photonic/datapath/analog.h"
#include "loom/photonic/network/network.h"

namespace loom {

// Where dot product `index` of a layer stands: sums are in the order output channel, row, column.
struct DotProduct {
  int output = 0;
  std::int64_t position = 0;
};

DotProduct dot_product(const PhotonicLayer& layer, std::int64_t index);

// Its operands out of the layer's input (im2col); zeros where the kernel stands over the edge.
// Needs `operands` of vector_length(layer) elements.
void gather_operands(const PhotonicLayer& layer, std::span<const std::uint8_t> input,
                     const DotProduct& dot, std::span<std::uint8_t> operands);

// What one sample of a dot product carries: the light of its products, and the sign they share.
struct SampleOperands {
  std::int64_t light = 0;
  bool negative = false;
};

// Of one wavelength sample i is product i. Of several, samples 2g and 2g + 1 are the products of
// group g with positive and with negative weights. Beyond the operands there is no light.
SampleOperands sample_operands(std::span<const std::uint8_t> operands,
                               std::span<const std::int16_t> weights, std::int64_t sample,
                               int wavelengths);

// What the sum of an output begins with, where activations stand for two to the `exponent` times as
// much.
std::int64_t first_sum(const PhotonicLayer& layer, int output, int exponent);

// What is between layers: 8-bit magnitudes, and what one of them stands for.
struct Activations {
  std::vector<std::uint8_t> values;
  int exponent = 0;  // two to this
};

// Sums as the 16 bits of the adder hold them; how many did not fit is added to `overflows`.
std::vector<std::int32_t> wrapped(std::span<const std::int64_t> sums, std::int64_t& overflows);

// Noise of each sum, of 255 where 255 is the largest.
void add_output_noise(std::vector<std::int32_t>& sums, double sigma, const NoiseField& noise);

// ReLU, pooling, and scaling by the power of two that brings the highest bit of the largest value
// to bit 7; a layer of zeros stays.
Activations activate(const PhotonicLayer& layer, std::span<const std::int32_t> sums, int exponent);

// x − log Σ exp x of x = logit · scale, without overflow.
std::vector<double> log_softmax(std::span<const std::int32_t> logits, double scale);

// What one of the last layer's sums stands for, where its inputs stand for two to the `exponent`
// times as much.
double logit_scale(const PhotonicNetwork& network, int exponent);

// The first index of the largest.
int largest_index(std::span<const std::int32_t> logits);

}  // namespace loom
