// What the emulated datapath is built of, and the cycles that follow from it.
//
// A digital cycle carries `lanes` samples to and from the light, one after the other: DACs and ADCs
// run `lanes` times as fast as the logic (Lightning, SIGCOMM 2023: 16 lanes, 4.055 GS/s over
// 253.44 MHz). A sample is what one detector sees: the products of one or several wavelengths,
// added as light. Light has no sign, so where several wavelengths share a detector each group of
// operands is sent twice, positive weights first, then negative ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "loom/base/units.h"
#include "loom/photonic/network/network.h"

namespace loom {

struct PhotonicDatapath {
  int lanes = 16;       // samples of a cycle: a power of two
  int wavelengths = 1;  // products that one detector adds
  int dac_bits = 8;     // levels of a modulator
  int adc_bits = 8;     // levels of a sample
  // The largest sum of products that a sample can hold is the largest product times two to this;
  // more is clipped. -1: enough for all wavelengths, so that nothing is clipped.
  int adc_range = -1;
  double loss_decibel = 0;         // of light between modulator and detector
  bool compensate_loss = true;     // samples are multiplied by what the light lost
  bool mask_zero_operands = true;  // a product with a zero is zero, whatever the detector says
  std::int64_t clock_hertz = 253'440'000;

  bool operator==(const PhotonicDatapath&) const = default;
};

// The cycles that each part of the pipeline takes. What they add up to for 16 lanes, 46 for a layer
// and 45 for the last, 2 to start and 16 to end, is that of Lightning's released hardware
// description; how it is divided among the parts is ours.
struct PhotonicLatency {
  int start = 2;          // a request to the first layer's targets
  int configure = 1;      // a layer's targets to its first word
  int preamble = 10;      // words before the operands
  int memory = 2;         // an address to the word at the DAC
  int delay_lines = 2;    // what makes up for the skew between modulators
  int flight = 11;        // DAC, modulators, fibre, detector, ADC
  int realign = 1;        // two cycles of samples make one word
  int detector = 3;       // comparing, matching, choosing; beside the averaging tree
  int compensator = 1;    // of loss
  int signs = 1;          // signs and mask of a word
  int accumulator = 1;    // beside the adder tree
  int activation = 1;     // ReLU
  int write = 1;          // into the buffer between layers
  int normalization = 3;  // by a power of two
  int swap = 1;           // of the two halves of that buffer; not after the last layer
  int softmax = 15;       // and its logarithm
  int result = 1;         // out
};

int tree_depth(const PhotonicDatapath& datapath);  // of what adds or averages all lanes

// The sum of products that a sample holds without clipping, as a power of two of the largest one.
int range_of(const PhotonicDatapath& datapath);

// The first reason why there is no such datapath; none if there is.
std::optional<std::string> objection(const PhotonicDatapath& datapath);

// Samples and cycles of one dot product.
std::int64_t samples_of(std::int64_t vector_length, const PhotonicDatapath& datapath);
std::int64_t streaming_cycles(std::int64_t vector_length, const PhotonicDatapath& datapath);

// From the first word of a layer to its last activation in the buffer.
std::int64_t layer_cycles(const PhotonicLayer& layer, bool last, const PhotonicDatapath& datapath);

// From the start to the result: of shapes alone, whatever weights and inputs are.
std::int64_t network_cycles(const PhotonicNetwork& network, const PhotonicDatapath& datapath = {});

// Rounded up to a picosecond; LimitError where the clock ends.
Duration cycles_time(std::int64_t cycles, const PhotonicDatapath& datapath = {});

}  // namespace loom
