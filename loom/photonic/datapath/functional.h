// What the photonic engine computes, without its clock: the same bits and the same cycle counts as
// the cycle-accurate engine (engine.h), thousands of times faster.
//
// A product is (a·|w|) >> 8, cut off before it is added; sums are signed and 16 bits wide. After
// ReLU a layer is scaled by the power of two that brings its largest value to bits 7…0; a layer of
// zeros stays.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "loom/photonic/datapath/analog.h"
#include "loom/photonic/datapath/datapath.h"
#include "loom/photonic/network/network.h"

namespace loom {

struct PhotonicLayerResult {
  std::vector<std::int32_t> sums;         // of every dot product, in 16 bits, before ReLU
  std::vector<std::uint8_t> activations;  // after ReLU, pooling, normalization; none of the last
};

struct PhotonicResult {
  std::vector<PhotonicLayerResult> layers;  // only where asked for
  std::vector<std::int32_t> logits;         // the last layer's sums
  std::vector<double> log_probabilities;    // their log-softmax, in units of the network
  int label = 0;                            // the first index of the largest logit
  std::int64_t cycles = 0;
  std::int64_t overflows = 0;  // sums that did not fit 16 bits and wrapped
  std::int64_t clipped = 0;    // samples beyond the ADC's range
};

struct PhotonicRunOptions {
  PhotonicNoise noise;
  std::uint64_t input_index = 0;  // which input this is: chooses its noise
  bool keep_layers = false;       // sums and activations of every layer
};

// A network laid out for speed. Immutable: many threads may run inputs through one.
class PhotonicProgram {
 public:
  // Needs a network and a datapath without objection.
  explicit PhotonicProgram(PhotonicNetwork network, const PhotonicDatapath& datapath = {});
  ~PhotonicProgram();
  PhotonicProgram(PhotonicProgram&&) noexcept;
  PhotonicProgram& operator=(PhotonicProgram&&) noexcept;

  // Needs as many values as the network takes.
  PhotonicResult run(std::span<const std::uint8_t> input,
                     const PhotonicRunOptions& options = {}) const;

  const PhotonicNetwork& network() const;
  const PhotonicDatapath& datapath() const;
  std::int64_t cycles() const;  // of every input

 private:
  struct Layout;
  std::unique_ptr<const Layout> layout_;
};

// The same for one input only; who has several makes a program.
PhotonicResult run(const PhotonicNetwork& network, std::span<const std::uint8_t> input,
                   const PhotonicRunOptions& options = {}, const PhotonicDatapath& datapath = {});

// Inputs one after the other in `inputs`, on at most `threads` threads (0: as many as there are);
// input i has index i.
std::vector<PhotonicResult> run_all(const PhotonicProgram& program,
                                    std::span<const std::uint8_t> inputs,
                                    const PhotonicNoise& noise = {}, int threads = 0,
                                    bool keep_layers = false);

}  // namespace loom
