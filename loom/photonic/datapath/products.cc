#include "loom/photonic/datapath/products.h"

#include <algorithm>
#include <cstdlib>

#include "loom/base/index.h"

namespace loom::photonic {
namespace {

constexpr int kVector = 16;  // outputs are padded to two SIMD vectors of eight 16-bit numbers

// Number of products that always fit a 16-bit sum; a product is at most 254.
constexpr int kProductsInSum = 128;

// sums[o] += ±(value·magnitude[o] >> 8), restricted to the bits that the ADC keeps.
void add_products(std::uint16_t value, std::uint16_t mask, const std::uint16_t* magnitudes,
                  const std::int16_t* signs, std::int16_t* sums, int count) {
  for (int o = 0; o < count; ++o) {
    const auto product = static_cast<std::uint16_t>(value * magnitudes[o]);
    const auto truncated = static_cast<std::int16_t>((product >> 8) & mask);
    const auto with_sign = static_cast<std::int16_t>((truncated ^ signs[o]) - signs[o]);
    sums[o] = static_cast<std::int16_t>(sums[o] + with_sign);
  }
}

void flush(std::vector<std::int16_t>& narrow, std::vector<std::int32_t>& wide) {
  for (std::size_t o = 0; o < narrow.size(); ++o) wide[o] += narrow[o];
  std::fill(narrow.begin(), narrow.end(), std::int16_t{0});
}

}  // namespace

LayerProducts::LayerProducts(const PhotonicLayer& layer, const PhotonicDatapath& datapath)
    : datapath_(datapath), length_(vector_length(layer)) {
  for (const std::int16_t weight : layer.weights) {
    const int level = dac_level(std::abs(int{weight}), datapath.dac_bits);
    rows_.push_back(static_cast<std::int16_t>(weight < 0 ? -level : level));
  }
  if (datapath.wavelengths != 1) return;
  const int outputs = layer.outputs / layer.groups;
  padded_ = (outputs + kVector - 1) / kVector * kVector;
  magnitudes_.resize(to_index(layer.groups * length_ * padded_));
  signs_.resize(magnitudes_.size());
  for (int output = 0; output < layer.outputs; ++output) {
    for (std::int64_t i = 0; i < length_; ++i) {
      const std::int16_t weight = rows_[to_index(output * length_ + i)];
      const std::size_t to =
          to_index((output / outputs * length_ + i) * padded_ + output % outputs);
      magnitudes_[to] = static_cast<std::uint16_t>(std::abs(int{weight}));
      signs_[to] = weight < 0 ? -1 : 0;
    }
  }
}

void LayerProducts::add_position(const PhotonicLayer& layer, std::span<const std::uint8_t> input,
                                 std::int64_t position, std::span<std::int64_t> sums) const {
  const auto mask = static_cast<std::uint16_t>(Receiver(datapath_, 0).mask());
  const int outputs = layer.outputs / layer.groups;
  const std::int64_t places = positions(layer);
  std::vector<std::uint8_t> operands(to_index(length_));
  std::vector<std::int16_t> narrow(to_index(padded_), 0);
  for (int group = 0; group < layer.groups; ++group) {
    gather_operands(layer, input, {group * outputs, position}, operands);
    std::vector<std::int32_t> wide(to_index(padded_), 0);
    int added = 0;
    for (std::int64_t i = 0; i < length_; ++i) {
      if (operands[to_index(i)] == 0) continue;
      const std::size_t from = to_index((group * length_ + i) * padded_);
      add_products(operands[to_index(i)], mask, &magnitudes_[from], &signs_[from], narrow.data(),
                   padded_);
      if (++added % kProductsInSum == 0) flush(narrow, wide);
    }
    flush(narrow, wide);
    for (int o = 0; o < outputs; ++o)
      sums[to_index((group * outputs + o) * places + position)] += wide[to_index(o)];
  }
}

std::vector<std::int64_t> LayerProducts::lit_samples(std::span<const std::uint8_t> operands,
                                                     bool include_dark) const {
  const int wavelengths = datapath_.wavelengths;
  const std::int64_t slots = streaming_cycles(length_, datapath_) * datapath_.lanes;
  std::vector<std::int64_t> samples;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    // With several wavelengths, a group of elements has two samples (sample_operands()).
    const std::int64_t begin = wavelengths == 1 ? slot : slot / 2 * wavelengths;
    const std::int64_t end = std::min(begin + wavelengths, length_);
    bool lit = include_dark;
    for (std::int64_t i = begin; i < end; ++i) lit = lit || operands[to_index(i)] != 0;
    if (lit) samples.push_back(slot);
  }
  return samples;
}

std::int64_t LayerProducts::sampled_sum(std::span<const std::uint8_t> operands,
                                        std::span<const std::int64_t> samples, int output,
                                        std::int64_t dot, const Receiver& receiver,
                                        const NoiseField& noise, std::int64_t& clipped) const {
  const std::span<const std::int16_t> weights(&rows_[to_index(output * length_)],
                                              to_index(length_));
  const std::int64_t slots = streaming_cycles(length_, datapath_) * datapath_.lanes;
  const bool masked = datapath_.mask_zero_operands || !receiver.noisy();
  std::int64_t sum = 0;
  for (const std::int64_t slot : samples) {
    if (datapath_.wavelengths == 1 && masked && weights[to_index(slot)] == 0) continue;
    const SampleOperands sample = sample_operands(operands, weights, slot, datapath_.wavelengths);
    if (sample.light == 0 && masked) continue;
    const double z =
        receiver.noisy() ? noise.sample(static_cast<std::uint64_t>(dot * slots + slot)) : 0;
    clipped += receiver.clips(sample.light, z) ? 1 : 0;
    const int value = receiver.value(sample.light, z);
    sum += sample.negative ? -value : value;
  }
  return sum;
}

std::vector<std::int64_t> LayerProducts::sums(const PhotonicLayer& layer,
                                              std::span<const std::uint8_t> input, int exponent,
                                              double sample_sigma, const NoiseField& noise,
                                              std::int64_t& clipped) const {
  const Receiver receiver(datapath_, sample_sigma);
  const std::int64_t places = positions(layer);
  std::vector<std::int64_t> result(to_index(dot_products(layer)));
  for (std::int64_t dot = 0; dot < static_cast<std::int64_t>(result.size()); ++dot) {
    result[to_index(dot)] = first_sum(layer, static_cast<int>(dot / places), exponent);
  }
  if (receiver.plain() && datapath_.wavelengths == 1) {
    for (std::int64_t p = 0; p < places; ++p) add_position(layer, input, p, result);
    return result;
  }
  const int outputs = layer.outputs / layer.groups;
  const bool all = receiver.noisy() && !datapath_.mask_zero_operands;
  std::vector<std::uint8_t> operands(to_index(length_));
  for (std::int64_t place = 0; place < places * layer.groups; ++place) {
    const int first = static_cast<int>(place / places) * outputs;
    gather_operands(layer, input, {first, place % places}, operands);
    const std::vector<std::int64_t> samples = lit_samples(operands, all);
    for (int output = first; output < first + outputs; ++output) {
      const std::int64_t dot = output * places + place % places;
      result[to_index(dot)] +=
          sampled_sum(operands, samples, output, dot, receiver, noise, clipped);
    }
  }
  return result;
}

}  // namespace loom::photonic
