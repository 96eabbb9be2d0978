// Model of the optical path from the DACs to the ADC: two modulators in series, and the skew
// between them.
//
// Two modulators multiply intensities. If the second receives its word earlier or later than the
// light of the first arrives, unrelated operands are multiplied, so delay lines must compensate
// this skew exactly. A DAC cycle arrives at an arbitrary offset within an ADC cycle; a preamble
// reveals the offset.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "loom/photonic/datapath/analog.h"

namespace loom::photonic {

struct PhotonicLink {
  int offset = 0;  // samples by which a DAC cycle arrives after an ADC cycle starts; below lanes
  int skew = 0;    // samples by which the weight modulator lags the input modulator; may be < 0
  int compensation = 0;  // skew that the delay lines correct; must equal `skew`

  bool operator==(const PhotonicLink&) const = default;
};

// Output of one DAC in one cycle: one intensity per sample and wavelength.
struct LightWord {
  std::vector<std::uint8_t> intensities;  // ordered by sample, then wavelength; 0 to 255
};

struct Sample {
  int value = 0;
  bool clipped = false;
};

// A word of the preamble: full light in the first half of the lanes, none in the second half.
LightWord preamble_word(const PhotonicDatapath& datapath);

// The optical path of one layer.
class LightPath {
 public:
  LightPath(const PhotonicDatapath& datapath, const PhotonicLink& link);

  // Starts a new layer, with no light in flight.
  void begin(const NoiseField& noise, double sigma, std::int64_t preamble_words);

  void send(const LightWord& inputs, const LightWord& weights);

  // The next cycle of ADC samples.
  std::vector<Sample> receive();

 private:
  std::int64_t light_at(std::int64_t sample) const;
  std::uint64_t noise_index(std::int64_t sample) const;

  PhotonicDatapath datapath_;
  PhotonicLink link_;
  std::optional<Receiver> receiver_;
  std::optional<NoiseField> noise_;
  std::int64_t preamble_samples_ = 0;
  std::vector<std::uint8_t> inputs_;
  std::vector<std::uint8_t> weights_;
  std::int64_t received_ = 0;  // number of ADC cycles received
};

// Reassembles the words of the DACs from ADC cycles, which start at any sample of a word.
class Realigner {
 public:
  explicit Realigner(int lanes) : before_(static_cast<std::size_t>(lanes)) {}

  void begin();
  void push(std::vector<Sample> samples);  // the next cycle

  // The word that starts `offset` samples into the cycle before the last.
  std::vector<Sample> window(int offset) const;

  // The offset at which the last two cycles contain a preamble word.
  std::optional<int> matched() const;

 private:
  std::vector<Sample> before_;
  std::vector<Sample> now_;
};

}  // namespace loom::photonic
