// Design curves: how accurate a network stays as one thing about the light changes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loom/photonic/datapath/functional.h"

namespace loom {

// What a curve is over.
enum class DesignAxis : std::uint8_t { sigma, bits, wavelengths, mask };

std::string_view name_of(DesignAxis axis);
std::optional<DesignAxis> design_axis(std::string_view name);

// Values that a curve goes through if nobody says otherwise.
std::vector<double> usual_values(DesignAxis axis);

struct DesignPoint {
  double value = 0;         // of the axis; mask: 0 or 1
  double accuracy = 0;      // the share of right labels, over all seeds
  double min_accuracy = 0;  // of one seed
  double max_accuracy = 0;
  double agreement = 0;  // the share of labels that are those of the exact network
  std::int64_t cycles = 0;
  double clipped = 0;  // samples for each input
};

struct DesignSetup {
  PhotonicDatapath datapath;
  PhotonicNoise noise;  // its seed is the first
  int seeds = 10;       // where there is noise
  int threads = 0;
};

// Needs inputs for every label, and values that the axis can take (see design_objection).
std::vector<DesignPoint> design_curve(const PhotonicNetwork& network,
                                      std::span<const std::uint8_t> inputs,
                                      std::span<const std::int32_t> labels, DesignAxis axis,
                                      std::span<const double> values, const DesignSetup& setup);

// Why an axis cannot have this value; none if it can.
std::optional<std::string> design_objection(DesignAxis axis, double value,
                                            const DesignSetup& setup);

}  // namespace loom
