#include "loom/photonic/datapath/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "loom/base/error.h"

namespace loom::photonic {
namespace {

constexpr std::array<std::pair<DesignAxis, std::string_view>, 4> kNames = {{
    {DesignAxis::sigma, "sigma"},
    {DesignAxis::bits, "bits"},
    {DesignAxis::wavelengths, "wavelengths"},
    {DesignAxis::mask, "mask"},
}};

// The setup with the parameter that `axis` names set to `value`.
DesignSetup changed(DesignSetup setup, DesignAxis axis, double value) {
  const auto integer = static_cast<int>(std::lround(value));
  switch (axis) {
    case DesignAxis::sigma:
      setup.noise.sample_sigma = value;
      break;
    case DesignAxis::bits:
      setup.datapath.dac_bits = setup.datapath.adc_bits = integer;
      break;
    case DesignAxis::wavelengths:
      setup.datapath.wavelengths = integer;
      break;
    case DesignAxis::mask:
      setup.datapath.mask_zero_operands = integer != 0;
      break;
  }
  return setup;
}

std::vector<int> labels_of(const std::vector<PhotonicResult>& results) {
  std::vector<int> labels;
  for (const PhotonicResult& result : results) labels.push_back(result.label);
  return labels;
}

template <typename Labels>
double share_equal(const std::vector<PhotonicResult>& results, const Labels& labels) {
  std::int64_t equal = 0;
  for (std::size_t i = 0; i < results.size(); ++i) equal += results[i].label == labels[i] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(results.size());
}

DesignPoint point_at(const PhotonicProgram& program, std::span<const std::uint8_t> inputs,
                     std::span<const std::int32_t> labels, const std::vector<int>& exact,
                     const DesignSetup& setup) {
  const bool noisy = setup.noise.sample_sigma > 0 || setup.noise.output_sigma > 0;
  const int seeds = noisy ? std::max(setup.seeds, 1) : 1;
  DesignPoint point;
  point.min_accuracy = 1;
  point.cycles = program.cycles();
  for (int s = 0; s < seeds; ++s) {
    PhotonicNoise noise = setup.noise;
    noise.seed += static_cast<std::uint64_t>(s);
    const auto results = run_all(program, inputs, noise, setup.threads);
    const double accuracy = share_equal(results, labels);
    point.accuracy += accuracy / seeds;
    point.min_accuracy = std::min(point.min_accuracy, accuracy);
    point.max_accuracy = std::max(point.max_accuracy, accuracy);
    point.agreement += share_equal(results, exact) / seeds;
    for (const PhotonicResult& result : results) {
      point.clipped +=
          static_cast<double>(result.clipped) / (static_cast<double>(results.size()) * seeds);
    }
  }
  return point;
}

}  // namespace

std::string_view name_of(DesignAxis axis) {
  for (const auto& [known, name] : kNames) {
    if (known == axis) return name;
  }
  return "";
}

std::optional<DesignAxis> design_axis(std::string_view name) {
  for (const auto& [axis, known] : kNames) {
    if (known == name) return axis;
  }
  return {};
}

std::vector<double> usual_values(DesignAxis axis) {
  switch (axis) {
    case DesignAxis::sigma:
      return {0, 0.5, 1, 1.657, 3, 5, 8, 12, 20};  // 1.657: Lightning's prototype
    case DesignAxis::bits:
      return {8, 7, 6, 5, 4, 3, 2, 1};
    case DesignAxis::wavelengths:
      return {1, 2, 4, 8, 16, 32};
    case DesignAxis::mask:
      break;
  }
  return {1, 0};
}

std::optional<std::string> design_objection(DesignAxis axis, double value,
                                            const DesignSetup& setup) {
  if (axis == DesignAxis::sigma) {
    if (value >= 0 && value <= 255) return {};
    return fmt::format("sigma is {}; 0 to 255 are possible", value);
  }
  if (value != std::rint(value) || std::abs(value) > 1000) {
    return fmt::format("{} is {}; an integer is needed", name_of(axis), value);
  }
  if (axis == DesignAxis::mask && value != 0 && value != 1) {
    return fmt::format("mask is {}; 0 or 1 is needed", value);
  }
  return objection(changed(setup, axis, value).datapath);
}

std::vector<DesignPoint> design_curve(const PhotonicNetwork& network,
                                      std::span<const std::uint8_t> inputs,
                                      std::span<const std::int32_t> labels, DesignAxis axis,
                                      std::span<const double> values, const DesignSetup& setup) {
  LOOM_CHECK(static_cast<std::int64_t>(inputs.size()) ==
                 static_cast<std::int64_t>(labels.size()) * input_size(network),
             "every input has a label");
  const std::vector<int> exact =
      labels_of(run_all(PhotonicProgram(network), inputs, {}, setup.threads));
  std::vector<DesignPoint> points;
  for (const double value : values) {
    const DesignSetup there = changed(setup, axis, value);
    const PhotonicProgram program(network, there.datapath);
    points.push_back(point_at(program, inputs, labels, exact, there));
    points.back().value = value;
  }
  return points;
}

}  // namespace loom::photonic
