#include "loom/fabric/loss_budget.h"

#include <array>
#include <cmath>

#include "loom/base/error.h"

namespace loom {
namespace {

// Sums of decimal fractions are a little off; a circuit that just arrives shall arrive.
constexpr double kRounding = 1e-9;

constexpr Parameter loss_parameter(std::string_view name, std::string_view fallback,
                                   std::string_view summary) {
  return {.name = name, .type = ValueType::decibel, .summary = summary, .fallback = fallback};
}

constexpr std::array<Parameter, 10> kParameters = {{
    {.name = "laser_power",
     .type = ValueType::decibel_milliwatt,
     .summary = "of a wavelength, before it enters the sender's chip",
     .fallback = "4.9 dBm"},
    {.name = "receiver_sensitivity",
     .type = ValueType::decibel_milliwatt,
     .summary = "the least power that a photodiode reads",
     .fallback = "-15.7 dBm"},
    loss_parameter("modulator_loss", "8.4 dB", "modulation penalty of the sender"),
    loss_parameter("coupling_loss", "1 dB", "each time light enters or leaves a chip"),
    loss_parameter("drop_loss", "1 dB", "of the micro-ring that picks the wavelength"),
    loss_parameter("ring_loss", "0.01 dB", "of a micro-ring passed out of resonance"),
    {.name = "rings_per_device",
     .type = ValueType::whole,
     .summary = "micro-rings that a wavelength passes in a device",
     .fallback = "32",
     .most = 100'000},
    loss_parameter("device_loss", "0 dB", "of whatever else light meets in a device it passes"),
    loss_parameter("fibre_loss", "0.0008 dB", "of the fibre between two neighbours"),
    loss_parameter("reserve", "3 dB", "kept for age, heat and dirt"),
}};

}  // namespace

std::vector<LossTerm> loss_terms(const LossBudget& budget, int segments) {
  LOOM_CHECK(segments >= 1 && segments <= kLongestReach, "a circuit has segments");
  const double rings_of_a_device = budget.rings_per_device * budget.ring_loss;
  return {{"modulator", 1, budget.modulator_loss},
          {"into or out of a chip", 1 + 2 * segments, budget.coupling_loss},
          {"micro-rings of a device", segments + 1, rings_of_a_device},
          {"else in a device passed", segments - 1, budget.device_loss},
          {"fibre of a segment", segments, budget.fibre_loss},
          {"drop filter", 1, budget.drop_loss},
          {"reserve", 1, budget.reserve}};
}

double loss(const LossBudget& budget, int segments) {
  double sum = 0;
  for (const LossTerm& term : loss_terms(budget, segments)) sum += term.total();
  return sum;
}

double margin(const LossBudget& budget, int segments) {
  return budget.laser_power - budget.receiver_sensitivity - loss(budget, segments);
}

int reach(const LossBudget& budget) {
  const double left = margin(budget, 1) + kRounding;
  if (left < 0) return 0;
  const double each = loss(budget, 2) - loss(budget, 1);  // of every further segment
  if (each * (kLongestReach - 1) <= left) return kLongestReach;
  return 1 + static_cast<int>(std::floor(left / each));
}

std::span<const Parameter> loss_budget_parameters() { return kParameters; }

LossBudget loss_budget(const Settings& settings) {
  return {.laser_power = settings.decibel_milliwatt("laser_power"),
          .receiver_sensitivity = settings.decibel_milliwatt("receiver_sensitivity"),
          .modulator_loss = settings.decibel("modulator_loss"),
          .coupling_loss = settings.decibel("coupling_loss"),
          .drop_loss = settings.decibel("drop_loss"),
          .ring_loss = settings.decibel("ring_loss"),
          .rings_per_device = static_cast<int>(settings.whole("rings_per_device")),
          .device_loss = settings.decibel("device_loss"),
          .fibre_loss = settings.decibel("fibre_loss"),
          .reserve = settings.decibel("reserve")};
}

}  // namespace loom
