// Design curves: the accuracy of a network as a function of one parameter of the analog hardware.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loom/photonic/datapath/functional.h"

namespace loom::photonic {

// The parameter on the horizontal axis of a curve.
enum class DesignAxis : std::uint8_t { sigma, bits, wavelengths, mask };

std::string_view name_of(DesignAxis axis);
std::optional<DesignAxis> design_axis(std::string_view name);

// Default values of the parameter.
std::vector<double> usual_values(DesignAxis axis);

struct DesignPoint {
  double value = 0;         // value of the parameter; for mask: 0 or 1
  double accuracy = 0;      // fraction of correct labels over all seeds
  double min_accuracy = 0;  // lowest accuracy of one seed
  double max_accuracy = 0;
  double agreement = 0;  // fraction of labels equal to those of the default datapath without noise
  std::int64_t cycles = 0;
  double clipped = 0;  // clipped samples per input
};

struct DesignSetup {
  PhotonicDatapath datapath;
  PhotonicNoise noise;  // noise.seed is the first of `seeds` consecutive seeds
  int seeds = 10;       // number of runs per point if there is noise; otherwise one run
  int threads = 0;
};

// One point per value. Needs one label per input, and values that the axis supports (see
// design_objection).
std::vector<DesignPoint> design_curve(const PhotonicNetwork& network,
                                      std::span<const std::uint8_t> inputs,
                                      std::span<const std::int32_t> labels, DesignAxis axis,
                                      std::span<const double> values, const DesignSetup& setup);

// The reason why the axis does not support this value; nullopt if it does.
std::optional<std::string> design_objection(DesignAxis axis, double value,
                                            const DesignSetup& setup);

}  // namespace loom::photonic
