#include "loom/fabric/circuits/loss_budget.h"

#include <cmath>

#include "loom/base/error.h"

namespace loom::fabric {
namespace {

// Sums of decimal fractions have rounding errors; a circuit with a margin of exactly zero must
// still count as reached.
constexpr double kRounding = 1e-9;

}  // namespace

std::vector<LossTerm> loss_terms(const LossBudget& budget, int segments) {
  LOOM_CHECK(segments >= 1 && segments <= kLongestReach, "a circuit has segments");
  const double rings_of_a_device = budget.rings_per_device * budget.ring_loss;
  return {{"modulator", 1, budget.modulator_loss},
          {"coupling into or out of a chip", 1 + 2 * segments, budget.coupling_loss},
          {"micro-rings of a device", segments + 1, rings_of_a_device},
          {"other loss in a device passed", segments - 1, budget.device_loss},
          {"fiber of a segment", segments, budget.fiber_loss},
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
  const double each = loss(budget, 2) - loss(budget, 1);  // loss per further segment
  if (each * (kLongestReach - 1) <= left) return kLongestReach;
  return 1 + static_cast<int>(std::floor(left / each));
}

LossBudget loss_budget(const Settings& settings) {
  return {.laser_power = settings.decibel_milliwatt("laser_power"),
          .receiver_sensitivity = settings.decibel_milliwatt("receiver_sensitivity"),
          .modulator_loss = settings.decibel("modulator_loss"),
          .coupling_loss = settings.decibel("coupling_loss"),
          .drop_loss = settings.decibel("drop_loss"),
          .ring_loss = settings.decibel("ring_loss"),
          .rings_per_device = static_cast<int>(settings.integer("rings_per_device")),
          .device_loss = settings.decibel("device_loss"),
          .fiber_loss = settings.decibel("fiber_loss"),
          .reserve = settings.decibel("reserve")};
}

}  // namespace loom::fabric
