// Functional model of the photonic engine: gives the same bits and cycle counts as the
// cycle-accurate engine (engine.h), but thousands of times faster.
//
// A product is (input · |weight|) >> 8, truncated before it is added; sums are signed 16-bit
// numbers. After ReLU, the values of a layer are scaled by the power of two that brings the highest
// bit of the largest value to bit 7; a layer of zeros is not scaled.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "loom/photonic/datapath/analog.h"
#include "loom/photonic/datapath/datapath.h"
#include "loom/photonic/network/network.h"

namespace loom::photonic {

struct PhotonicLayerResult {
  std::vector<std::int32_t> sums;  // 16-bit sum of every dot product, before ReLU
  // Values after ReLU, pooling and normalization; empty for the last layer.
  std::vector<std::uint8_t> activations;
};

struct PhotonicResult {
  std::vector<PhotonicLayerResult> layers;  // only if keep_layers is set
  std::vector<std::int32_t> logits;         // the last layer's sums
  std::vector<double> log_probabilities;    // log-softmax of the logits as real values
  int label = 0;                            // index of the largest logit
  std::int64_t cycles = 0;
  std::int64_t overflows = 0;  // number of sums that did not fit 16 bits and wrapped
  std::int64_t clipped = 0;    // number of samples beyond the ADC's range
};

struct PhotonicRunOptions {
  PhotonicNoise noise;
  std::uint64_t input_index = 0;  // index of the input; selects its noise
  bool keep_layers = false;       // keeps sums and activations of every layer
};

// A network in a layout optimized for speed. Immutable, so many threads can share one.
class PhotonicProgram {
 public:
  // Needs a valid network and datapath.
  explicit PhotonicProgram(PhotonicNetwork network, const PhotonicDatapath& datapath = {});
  ~PhotonicProgram();
  PhotonicProgram(PhotonicProgram&&) noexcept;
  PhotonicProgram& operator=(PhotonicProgram&&) noexcept;

  // Needs an input of the network's size.
  PhotonicResult run(std::span<const std::uint8_t> input,
                     const PhotonicRunOptions& options = {}) const;

  const PhotonicNetwork& network() const;
  const PhotonicDatapath& datapath() const;
  std::int64_t cycles() const;  // per input

 private:
  struct Layout;
  std::unique_ptr<const Layout> layout_;
};

// Runs a single input; for several, construct a PhotonicProgram.
PhotonicResult run(const PhotonicNetwork& network, std::span<const std::uint8_t> input,
                   const PhotonicRunOptions& options = {}, const PhotonicDatapath& datapath = {});

// Runs the concatenated `inputs` on at most `threads` threads (0: all processors); input i has
// index i.
std::vector<PhotonicResult> run_all(const PhotonicProgram& program,
                                    std::span<const std::uint8_t> inputs,
                                    const PhotonicNoise& noise = {}, int threads = 0,
                                    bool keep_layers = false);

}  // namespace loom::photonic
