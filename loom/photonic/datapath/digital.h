// The digital operations of a layer: selecting the operands of dot products, and processing their
// sums.
//
// The cycle-accurate engine and the functional path call the same functions, so that they can
// differ only in order and timing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/photonic/datapath/analog.h"
#include "loom/photonic/network/network.h"

namespace loom::photonic {

// Output and position of dot product `index` of a layer; sums are ordered by output channel, row,
// column.
struct DotProduct {
  int output = 0;
  std::int64_t position = 0;
};

DotProduct dot_product(const PhotonicLayer& layer, std::int64_t index);

// Gathers the operands from the layer's input (im2col), with zeros where the kernel exceeds the
// input. Needs `operands` of vector_length(layer) elements.
void gather_operands(const PhotonicLayer& layer, std::span<const std::uint8_t> input,
                     const DotProduct& dot, std::span<std::uint8_t> operands);

// One sample of a dot product: the light of its products, and the sign they share.
struct SampleOperands {
  std::int64_t light = 0;
  bool negative = false;
};

// With one wavelength, sample i is product i. With several, samples 2g and 2g + 1 are the products
// of group g with positive and with negative weights. Samples beyond the last operand have no
// light.
SampleOperands sample_operands(std::span<const std::uint8_t> operands,
                               std::span<const std::int16_t> weights, std::int64_t sample,
                               int wavelengths);

// Initial value of the sum of `output`: its bias, divided by the scale 2^exponent of the layer's
// input.
std::int64_t first_sum(const PhotonicLayer& layer, int output, int exponent);

// Values passed between layers: 8-bit magnitudes and their scale.
struct Activations {
  std::vector<std::uint8_t> values;
  int exponent = 0;  // log2 of the scale: a value v represents v · 2^exponent
};

// The sums wrapped to the adder's 16 bits; adds the number of sums that did not fit to `overflows`.
std::vector<std::int32_t> wrapped(std::span<const std::int64_t> sums, std::int64_t& overflows);

// Adds noise to each sum. The standard deviation is sigma / 255 of the largest magnitude of a sum.
void add_output_noise(std::vector<std::int32_t>& sums, double sigma, const NoiseField& noise);

// Applies ReLU, pooling, and scaling by the power of two that brings the highest bit of the largest
// value to bit 7; a layer of zeros is not scaled.
Activations activate(const PhotonicLayer& layer, std::span<const std::int32_t> sums, int exponent);

// Log-softmax: x − log Σ exp x for x = logit · scale, computed without overflow.
std::vector<double> log_softmax(std::span<const std::int32_t> logits, double scale);

// The real value of one unit of the last layer's sums, if the scale of its input is 2^exponent.
double logit_scale(const PhotonicNetwork& network, int exponent);

// The index of the largest value; the first one if there are several.
int largest_index(std::span<const std::int32_t> logits);

}  // namespace loom::photonic
