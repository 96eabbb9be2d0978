#include "loom/photonic/datapath/functional.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "loom/base/error.h"
#include "loom/base/parallel.h"
#include "loom/photonic/datapath/digital.h"
#include "loom/photonic/datapath/products.h"

namespace loom::photonic {
namespace {

// Inputs per block, the unit of work of a thread; a block takes a few milliseconds.
constexpr std::size_t kBlock = 64;

std::vector<std::uint8_t> at_levels(std::span<const std::uint8_t> values, int bits) {
  std::vector<std::uint8_t> result(values.begin(), values.end());
  if (bits == 8) return result;
  for (std::uint8_t& value : result) value = dac_level(value, bits);
  return result;
}

}  // namespace

struct PhotonicProgram::Layout {
  PhotonicNetwork network;
  PhotonicDatapath datapath;
  std::vector<LayerProducts> products;  // one per layer
  std::int64_t cycles = 0;
};

PhotonicProgram::PhotonicProgram(PhotonicNetwork network, const PhotonicDatapath& datapath) {
  LOOM_CHECK(!objection(network) && !objection(datapath), "the caller has checked objection()");
  auto layout = std::make_unique<Layout>();
  layout->network = std::move(network);
  layout->datapath = datapath;
  layout->cycles = network_cycles(layout->network, datapath);
  for (const PhotonicLayer& layer : layout->network.layers) {
    layout->products.emplace_back(layer, datapath);
  }
  layout_ = std::move(layout);
}

PhotonicProgram::~PhotonicProgram() = default;
PhotonicProgram::PhotonicProgram(PhotonicProgram&&) noexcept = default;
PhotonicProgram& PhotonicProgram::operator=(PhotonicProgram&&) noexcept = default;

const PhotonicNetwork& PhotonicProgram::network() const { return layout_->network; }
const PhotonicDatapath& PhotonicProgram::datapath() const { return layout_->datapath; }
std::int64_t PhotonicProgram::cycles() const { return layout_->cycles; }

PhotonicResult PhotonicProgram::run(std::span<const std::uint8_t> input,
                                    const PhotonicRunOptions& options) const {
  const Layout& layout = *layout_;
  LOOM_CHECK(static_cast<std::int64_t>(input.size()) == input_size(layout.network),
             "an input has as many values as the network takes");
  PhotonicResult result;
  result.cycles = layout.cycles;
  Activations current{{input.begin(), input.end()}, 0};
  const std::size_t layers = layout.network.layers.size();
  for (std::size_t i = 0; i < layers; ++i) {
    const PhotonicLayer& layer = layout.network.layers[i];
    const NoiseField noise(options.noise, options.input_index, static_cast<int>(i));
    const std::vector<std::int64_t> exact = layout.products[i].sums(
        layer, at_levels(current.values, layout.datapath.dac_bits), current.exponent,
        options.noise.sample_sigma, noise, result.clipped);
    std::vector<std::int32_t> sums = wrapped(exact, result.overflows);
    add_output_noise(sums, options.noise.output_sigma, noise);
    const bool last = i + 1 == layers;
    if (!last) current = activate(layer, sums, current.exponent);
    if (last) result.logits = sums;
    if (options.keep_layers) {
      result.layers.push_back(
          {std::move(sums), last ? std::vector<std::uint8_t>{} : current.values});
    }
  }
  if (layout.network.layers.back().relu) {
    for (std::int32_t& logit : result.logits) logit = std::max(logit, 0);
  }
  result.log_probabilities =
      log_softmax(result.logits, logit_scale(layout.network, current.exponent));
  result.label = largest_index(result.logits);
  return result;
}

PhotonicResult run(const PhotonicNetwork& network, std::span<const std::uint8_t> input,
                   const PhotonicRunOptions& options, const PhotonicDatapath& datapath) {
  return PhotonicProgram(network, datapath).run(input, options);
}

std::vector<PhotonicResult> run_all(const PhotonicProgram& program,
                                    std::span<const std::uint8_t> inputs,
                                    const PhotonicNoise& noise, int threads, bool keep_layers) {
  const auto size = static_cast<std::size_t>(input_size(program.network()));
  LOOM_CHECK(inputs.size() % size == 0, "inputs are concatenated");
  std::vector<PhotonicResult> results(inputs.size() / size);
  const std::size_t blocks = (results.size() + kBlock - 1) / kBlock;
  for_each_index(blocks, threads, [&](std::size_t block) {
    const std::size_t end = std::min(results.size(), (block + 1) * kBlock);
    for (std::size_t i = block * kBlock; i < end; ++i) {
      results[i] = program.run(inputs.subspan(i * size, size), {noise, i, keep_layers});
    }
  });
  return results;
}

}  // namespace loom::photonic
