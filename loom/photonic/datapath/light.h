// Samples as they travel: modulators in series, skew between them, the way to the ADC.
//
// Two modulators multiply intensities. If the second sees its word earlier or later than the light
// of the first arrives, products are of operands that do not belong together: delay lines must make
// up for that skew exactly. And the ADC begins its cycles at some sample of the DAC's: a preamble
// finds where.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "loom/photonic/datapath/analog.h"

namespace loom {

struct PhotonicLink {
  int offset = 0;  // samples by which the ADC's cycles begin late; below the lanes
  int skew = 0;    // samples by which the weights' modulator lags the inputs'; may be negative
  int compensation = 0;  // what the delay lines make up for; right where it equals the skew

  bool operator==(const PhotonicLink&) const = default;
};

// What one DAC sends in a cycle: for each sample, an intensity of each wavelength.
struct LightWord {
  std::vector<std::uint8_t> intensities;  // sample by sample, 0 to 255
};

struct Sample {
  int value = 0;
  bool clipped = false;
};

// Eight samples of full light and eight of none, or as many halves as there are lanes.
LightWord preamble_word(const PhotonicDatapath& datapath);

// The light of one layer.
class LightPath {
 public:
  LightPath(const PhotonicDatapath& datapath, const PhotonicLink& link);

  // A new layer begins in the dark.
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

// Puts words together again from cycles of samples that begin anywhere.
class Realigner {
 public:
  explicit Realigner(int lanes) : before_(static_cast<std::size_t>(lanes)) {}

  void begin();
  void push(std::vector<Sample> samples);  // the next cycle

  // The word that begins `offset` samples into the cycle before the last.
  std::vector<Sample> window(int offset) const;

  // The offset at which the last two cycles hold a word of the preamble.
  std::optional<int> matched() const;

 private:
  std::vector<Sample> before_;
  std::vector<Sample> now_;
};

}  // namespace loom
