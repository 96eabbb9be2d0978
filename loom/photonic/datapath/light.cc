#include "loom/photonic/datapath/light.h"

#include <algorithm>
#include <utility>

#include "loom/base/index.h"

namespace loom::photonic {
namespace {

// First noise index of the preamble, so that its noise differs from that of the operands.
constexpr std::uint64_t kPreambleNoise = std::uint64_t{1} << 48;

}  // namespace

LightWord preamble_word(const PhotonicDatapath& datapath) {
  LightWord word;
  const std::size_t half = to_index(datapath.lanes / 2) * to_index(datapath.wavelengths);
  word.intensities.assign(half, std::uint8_t{kLargestMagnitude});
  word.intensities.resize(2 * half, 0);
  return word;
}

LightPath::LightPath(const PhotonicDatapath& datapath, const PhotonicLink& link)
    : datapath_(datapath), link_(link) {}

void LightPath::begin(const NoiseField& noise, double sigma, std::int64_t preamble_words) {
  receiver_.emplace(datapath_, sigma);
  noise_ = noise;
  preamble_samples_ = preamble_words * datapath_.lanes;
  inputs_.clear();
  weights_.clear();
  received_ = 0;
}

void LightPath::send(const LightWord& inputs, const LightWord& weights) {
  inputs_.insert(inputs_.end(), inputs.intensities.begin(), inputs.intensities.end());
  weights_.insert(weights_.end(), weights.intensities.begin(), weights.intensities.end());
}

// Nothing realigns the modulators: at any instant, the late one emits an older sample.
std::int64_t LightPath::light_at(std::int64_t sample) const {
  const int late = link_.skew - link_.compensation;
  const std::int64_t from_inputs = sample - std::max(0, -late);
  const std::int64_t from_weights = sample - std::max(0, late);
  const std::int64_t wavelengths = datapath_.wavelengths;
  const auto sent = static_cast<std::int64_t>(inputs_.size()) / wavelengths;
  if (std::min(from_inputs, from_weights) < 0 || std::max(from_inputs, from_weights) >= sent) {
    return 0;
  }
  std::int64_t light = 0;
  for (std::int64_t w = 0; w < wavelengths; ++w) {
    const std::int64_t input = inputs_[to_index(from_inputs * wavelengths + w)];
    light += input * weights_[to_index(from_weights * wavelengths + w)];
  }
  return light;
}

std::uint64_t LightPath::noise_index(std::int64_t sample) const {
  const std::int64_t index = sample - preamble_samples_;
  return index >= 0 ? static_cast<std::uint64_t>(index)
                    : kPreambleNoise + static_cast<std::uint64_t>(-index);
}

std::vector<Sample> LightPath::receive() {
  std::vector<Sample> samples;
  samples.reserve(to_index(datapath_.lanes));
  for (int lane = 0; lane < datapath_.lanes; ++lane) {
    const std::int64_t sample = received_ * datapath_.lanes + lane - link_.offset;
    const std::int64_t light = light_at(sample);
    const double noise = receiver_->noisy() ? noise_->sample(noise_index(sample)) : 0;
    samples.push_back({receiver_->value(light, noise), receiver_->clips(light, noise)});
  }
  ++received_;
  return samples;
}

void Realigner::begin() {
  std::fill(before_.begin(), before_.end(), Sample{});
  now_ = before_;
}

void Realigner::push(std::vector<Sample> samples) {
  before_ = std::exchange(now_, std::move(samples));
}

std::vector<Sample> Realigner::window(int offset) const {
  std::vector<Sample> word(before_.begin() + offset, before_.end());
  word.insert(word.end(), now_.begin(), now_.begin() + offset);
  return word;
}

// A sample is high if it is at least the average; only one offset can give high samples in the
// first half and low samples in the second half.
std::optional<int> Realigner::matched() const {
  const auto lanes = static_cast<int>(before_.size());
  for (int offset = 0; offset < lanes; ++offset) {
    const std::vector<Sample> word = window(offset);
    std::int64_t sum = 0;
    for (const Sample& sample : word) sum += sample.value;
    bool fits = sum > 0;
    for (int lane = 0; lane < lanes && fits; ++lane) {
      const bool high = std::int64_t{word[to_index(lane)].value} * lanes >= sum;
      fits = high == (lane < lanes / 2);
    }
    if (fits) return offset;
  }
  return {};
}

}  // namespace loom::photonic
