#include "loom/photonic/datapath/digital.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "loom/base/error.h"
#include "loom/base/index.h"

namespace loom::photonic {
namespace {

// Bound on an initial sum, far beyond the range of a 16-bit sum.
constexpr std::int64_t kLargestFirstSum = std::int64_t{1} << 31;

// Gathers the operands of one kernel row from one row of the input, starting at column `left`.
void gather_row(const PhotonicLayer& layer, std::span<const std::uint8_t> row, int left,
                std::uint8_t* operands) {
  for (int x = 0; x < layer.kernel_width; ++x) {
    const int column = left + x;
    operands[x] = column >= 0 && column < layer.input.width ? row[to_index(column)] : 0;
  }
}

int highest_bit(std::int32_t value) {
  return std::bit_width(static_cast<std::uint32_t>(value)) - 1;
}

std::int32_t pooled(const PhotonicLayer& layer, const PhotonicShape& shape,
                    std::span<const std::int32_t> channel, int row, int column) {
  std::int32_t largest = 0;  // after ReLU
  for (int y = 0; y < layer.pool; ++y) {
    for (int x = 0; x < layer.pool; ++x) {
      const int r = row * layer.pool_stride + y;
      const int c = column * layer.pool_stride + x;
      largest = std::max(largest, channel[to_index(std::int64_t{r} * shape.width + c)]);
    }
  }
  return largest;
}

// The values after ReLU and pooling.
std::vector<std::int32_t> kept(const PhotonicLayer& layer, std::span<const std::int32_t> sums) {
  const PhotonicShape from = sums_shape(layer);
  const PhotonicShape to = output_shape(layer);
  const std::int64_t channel_size = std::int64_t{from.height} * from.width;
  std::vector<std::int32_t> values;
  values.reserve(to_index(elements(to)));
  for (int channel = 0; channel < to.channels; ++channel) {
    const auto plane = sums.subspan(to_index(channel * channel_size), to_index(channel_size));
    for (int row = 0; row < to.height; ++row) {
      for (int column = 0; column < to.width; ++column) {
        values.push_back(pooled(layer, from, plane, row, column));
      }
    }
  }
  return values;
}

}  // namespace

DotProduct dot_product(const PhotonicLayer& layer, std::int64_t index) {
  const std::int64_t places = positions(layer);
  return {static_cast<int>(index / places), index % places};
}

void gather_operands(const PhotonicLayer& layer, std::span<const std::uint8_t> input,
                     const DotProduct& dot, std::span<std::uint8_t> operands) {
  if (layer.kind == PhotonicLayerKind::dense) {
    std::copy(input.begin(), input.end(), operands.begin());
    return;
  }
  const PhotonicShape& shape = layer.input;
  const PhotonicShape sums = sums_shape(layer);
  const int channels = shape.channels / layer.groups;
  const int first = dot.output / (layer.outputs / layer.groups) * channels;
  const int top = static_cast<int>(dot.position / sums.width) * layer.stride - layer.padding;
  const int left = static_cast<int>(dot.position % sums.width) * layer.stride - layer.padding;
  std::uint8_t* to = operands.data();
  for (int channel = first; channel < first + channels; ++channel) {
    for (int y = 0; y < layer.kernel_height; ++y, to += layer.kernel_width) {
      const int row = top + y;
      if (row < 0 || row >= shape.height) {
        std::fill_n(to, layer.kernel_width, std::uint8_t{0});
        continue;
      }
      const std::int64_t begin = (std::int64_t{channel} * shape.height + row) * shape.width;
      gather_row(layer, input.subspan(to_index(begin), to_index(shape.width)), left, to);
    }
  }
}

SampleOperands sample_operands(std::span<const std::uint8_t> operands,
                               std::span<const std::int16_t> weights, std::int64_t sample,
                               int wavelengths) {
  const auto length = static_cast<std::int64_t>(operands.size());
  if (wavelengths == 1) {
    if (sample >= length) return {};
    const int product = operands[to_index(sample)] * weights[to_index(sample)];
    return {std::abs(product), weights[to_index(sample)] < 0};
  }
  const std::int64_t begin = sample / 2 * wavelengths;
  const std::int64_t end = std::min(begin + wavelengths, length);
  SampleOperands result{0, sample % 2 == 1};
  for (std::int64_t i = begin; i < end; ++i) {
    if ((weights[to_index(i)] < 0) != result.negative) continue;
    result.light += std::abs(operands[to_index(i)] * weights[to_index(i)]);
  }
  return result;
}

std::int64_t first_sum(const PhotonicLayer& layer, int output, int exponent) {
  if (layer.biases.empty()) return 0;
  const std::int64_t bias = layer.biases[to_index(output)];
  const int down = 16 + exponent;  // biases are in 1/65536
  if (down >= 0) return std::clamp(bias >> std::min(down, 63), -kLargestFirstSum, kLargestFirstSum);
  if (bias == 0) return 0;
  const int room = 62 - std::bit_width(static_cast<std::uint64_t>(std::abs(bias)));
  if (-down > room) return bias > 0 ? kLargestFirstSum : -kLargestFirstSum;
  return std::clamp(bias * (std::int64_t{1} << -down), -kLargestFirstSum, kLargestFirstSum);
}

std::vector<std::int32_t> wrapped(std::span<const std::int64_t> sums, std::int64_t& overflows) {
  std::vector<std::int32_t> kept_bits;
  kept_bits.reserve(sums.size());
  for (const std::int64_t sum : sums) {
    const auto low = static_cast<std::int16_t>(sum);
    overflows += low != sum ? 1 : 0;
    kept_bits.push_back(low);
  }
  return kept_bits;
}

void add_output_noise(std::vector<std::int32_t>& sums, double sigma, const NoiseField& noise) {
  if (sigma == 0) return;
  std::int32_t largest = 0;
  for (const std::int32_t sum : sums) largest = std::max(largest, std::abs(sum));
  if (largest == 0) return;
  const double unit = sigma * largest / kLargestMagnitude;
  constexpr double kMaxSum = std::numeric_limits<std::int16_t>::max();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double noisy = sums[i] + std::rint(unit * noise.output(i));
    sums[i] = static_cast<std::int32_t>(std::clamp(noisy, -kMaxSum - 1, kMaxSum));
  }
}

Activations activate(const PhotonicLayer& layer, std::span<const std::int32_t> sums, int exponent) {
  const std::vector<std::int32_t> values = kept(layer, sums);
  const std::int32_t largest = *std::max_element(values.begin(), values.end());
  Activations result{std::vector<std::uint8_t>(values.size(), 0), exponent};
  if (largest == 0) return result;
  const int shift = highest_bit(largest) - 7;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int32_t scaled = shift < 0 ? values[i] << -shift : values[i] >> shift;
    result.values[i] = static_cast<std::uint8_t>(scaled);
  }
  result.exponent += shift;
  return result;
}

double logit_scale(const PhotonicNetwork& network, int exponent) {
  return std::ldexp(1 / logit_unit(network), exponent);
}

std::vector<double> log_softmax(std::span<const std::int32_t> logits, double scale) {
  LOOM_CHECK(!logits.empty(), "a network has outputs");
  const std::int32_t largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const std::int32_t logit : logits) sum += std::exp(scale * (logit - largest));
  const double shift = std::log(sum);
  std::vector<double> result;
  result.reserve(logits.size());
  for (const std::int32_t logit : logits) {
    result.push_back(scale * (logit - largest) - shift);
  }
  return result;
}

int largest_index(std::span<const std::int32_t> logits) {
  return static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

}  // namespace loom::photonic
