// Samples in flight: modulators in series, the skew between them, and the path to the ADC.
//
// Two modulators multiply intensities. If the second receives its word earlier or later than the
// light of the first arrives, unrelated operands are multiplied, so delay lines must compensate
// that skew exactly. The ADC's cycles start at an arbitrary sample of the DAC's; a preamble finds
// it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "loom/photonic/datapath/analog.h"

namespace loom::photonic {

struct PhotonicLink {
  int offset = 0;  // samples by which the ADC's cycles start late; below the lanes
  int skew = 0;    // samples by which the weights' modulator lags the inputs'; may be negative
  int compensation = 0;  // skew corrected by the delay lines; correct if it equals the skew

  bool operator==(const PhotonicLink&) const = default;
};

// One DAC's output in a cycle: per sample, one intensity per wavelength.
struct LightWord {
  std::vector<std::uint8_t> intensities;  // sample by sample, 0 to 255
};

struct Sample {
  int value = 0;
  bool clipped = false;
};

// Full light in the first half of the lanes, none in the second.
LightWord preamble_word(const PhotonicDatapath& datapath);

// The optical path of one layer.
class LightPath {
 public:
  LightPath(const PhotonicDatapath& datapath, const PhotonicLink& link);

  // Starts a new layer, without any light in flight.
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
  std::int64_t received_ = 0;  // cycles
};

// Reassembles words from cycles of samples that start anywhere.
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
