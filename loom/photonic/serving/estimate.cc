#include "loom/photonic/serving/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace loom::photonic {
namespace {

// The 0.975 quantiles of Student's t for 1, 2, … 30 degrees of freedom (from statistical tables).
// Above 30, the Cornish-Fisher expansion of the normal quantile is accurate to four digits.
constexpr std::array<double, 30> kStudent = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

double student(std::size_t freedom) {
  if (freedom <= kStudent.size()) return kStudent[freedom - 1];
  constexpr double kNormal = 1.959964;
  return kNormal + (kNormal * kNormal * kNormal + kNormal) / (4 * static_cast<double>(freedom));
}

}  // namespace

Estimate estimate_of(std::span<const double> values) {
  Estimate estimate;
  if (values.empty()) return estimate;
  const auto count = static_cast<double>(values.size());
  for (const double it : values) estimate.mean += it / count;
  estimate.runs = static_cast<int>(values.size());
  if (values.size() == 1) return estimate;
  double squares = 0;
  for (const double it : values) squares += (it - estimate.mean) * (it - estimate.mean);
  estimate.half = student(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
  return estimate;
}

}  // namespace loom::photonic
