// Parameters of the emulated photonic datapath, and the cycle counts that follow from them.
//
// A digital cycle carries `lanes` consecutive samples to and from the light, because DACs and ADCs
// run `lanes` times as fast as the logic (Lightning, SIGCOMM 2023: 4.055 GS/s is 16 times 253.44
// MHz). A sample is one detector reading: the products of one or several wavelengths, summed
// optically. Light has no sign, so if several wavelengths share a detector, each group of operands
// is sent twice, first with positive and then with negative weights.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "loom/base/units.h"
#include "loom/photonic/network/network.h"

namespace loom::photonic {

struct PhotonicDatapath {
  int lanes = 16;       // samples per cycle; a power of two
  int wavelengths = 1;  // products summed by one detector
  int dac_bits = 8;     // resolution of a modulator
  int adc_bits = 8;     // resolution of a sample
  // log2 of the ADC's range relative to the largest product; larger sums of products are clipped.
  // -1: a range large enough for all wavelengths, so that nothing is clipped.
  int adc_range = -1;
  double loss_decibel = 0;      // optical loss between modulator and detector
  bool compensate_loss = true;  // multiplies samples by the inverse of the loss
  // A product with a zero operand counts as zero, whatever the detector reads.
  bool mask_zero_operands = true;
  std::int64_t clock_hertz = 253'440'000;

  bool operator==(const PhotonicDatapath&) const = default;
};

// Cycles of each pipeline stage. For 16 lanes they add up to the totals of Lightning's released
// hardware description: 46 per layer, 45 for the last, 2 to start and 16 to end. The distribution
// over the stages is our own.
struct PhotonicLatency {
  int start = 2;          // from a request to the first layer's targets
  int configure = 1;      // from a layer's targets to its first word
  int preamble = 10;      // preamble words sent before the operands
  int memory = 2;         // from an address to the word at the DAC
  int delay_lines = 2;    // delay lines that compensate the skew between the modulators
  int flight = 11;        // DAC, modulators, fiber, detector, ADC
  int realign = 1;        // realignment of two cycles of samples into one word
  int detector = 3;       // preamble detection, in addition to the averaging tree
  int compensator = 1;    // loss compensation
  int signs = 1;          // application of signs and mask to a word
  int accumulator = 1;    // accumulation, in addition to the adder tree
  int activation = 1;     // ReLU
  int write = 1;          // write into the buffer between layers
  int normalization = 3;  // scaling by a power of two
  int swap = 1;           // swap of the two halves of the buffer; not after the last layer
  int softmax = 15;       // log-softmax
  int result = 1;         // output of the result
};

// Depth of a binary tree that adds or averages the samples of all lanes.
int tree_depth(const PhotonicDatapath& datapath);

// log2 of the ADC's range relative to the largest product, with the default of adc_range resolved.
int range_of(const PhotonicDatapath& datapath);

// The first reason why the datapath is invalid; nullopt if it is valid.
std::optional<std::string> objection(const PhotonicDatapath& datapath);

// Number of samples, and of cycles, of one dot product.
std::int64_t samples_of(std::int64_t vector_length, const PhotonicDatapath& datapath);
std::int64_t streaming_cycles(std::int64_t vector_length, const PhotonicDatapath& datapath);

// Cycles from the first word of a layer to its last activation in the buffer.
std::int64_t layer_cycles(const PhotonicLayer& layer, bool last, const PhotonicDatapath& datapath);

// Cycles from the start to the result; they depend only on shapes, not on weights or inputs.
std::int64_t network_cycles(const PhotonicNetwork& network, const PhotonicDatapath& datapath = {});

// The duration of `cycles` clock cycles, rounded up to a picosecond. Throws LimitError if the
// duration cannot be represented.
Duration cycles_time(std::int64_t cycles, const PhotonicDatapath& datapath = {});

}  // namespace loom::photonic
