#include "loom/report/chart/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace loom::report {
namespace {

// Ratio of largest to smallest value up to which powers of ten are too far apart for ticks.
constexpr double kSmallRange = 5;

// Range of absolute values that a chart can show; beyond it, ticks and ends of an axis would
// overflow or vanish.
constexpr double kLargest = 1e290;
constexpr double kSmallest = 1e-290;

constexpr double kNear = 0.51;  // distance that counts as near, as a fraction of the tick spacing
constexpr double kAir = 0.03;   // margin beyond the last value, as a fraction of the axis

// Tolerance within which a value counts as lying on a tick, as a fraction of the step.
constexpr double kRounding = 1e-9;

// Divides for negative exponents, so that 0.1 is exactly 0.1.
double power_of_ten(int exponent) {
  return exponent >= 0 ? std::pow(10, exponent) : 1 / std::pow(10, -exponent);
}

double round_step(double span, int max_ticks) {
  const double min_step = span / std::max(1, max_ticks - 1);
  const int exponent = static_cast<int>(std::floor(std::log10(min_step)));
  for (const int factor : {1, 2, 5}) {
    const double step = factor * power_of_ten(exponent);
    if (step >= min_step * (1 - kRounding)) return step;
  }
  return power_of_ten(exponent + 1);
}

// Chooses the ends of an axis whose ticks enclose all values. The axis ends at the outermost tick
// if a value is near it; otherwise it drops that tick and ends a margin beyond the outermost value.
Axis with_ends(double low, double high, bool logarithmic, std::vector<double> ticks) {
  Axis axis{ticks.front(), ticks.back(), logarithmic, {}};
  if (ticks.size() > 3) {
    const double air = kAir * (axis.place(high) - axis.place(low));
    const double first = axis.place(low);
    const double last = axis.place(high);
    Axis shorter = axis;
    if (first > kNear * axis.place(ticks[1])) {
      shorter.low = axis.value_at(first - air);
      ticks.erase(ticks.begin());
    }
    if (1 - last > kNear * (1 - axis.place(ticks[ticks.size() - 2]))) {
      shorter.high = axis.value_at(last + air);
      ticks.pop_back();
    }
    axis = shorter;
  }
  axis.ticks = std::move(ticks);
  return axis;
}

std::vector<double> linear_ticks(double low, double high, int max_ticks) {
  const double step = round_step(high - low, max_ticks);
  const double first = std::floor(low / step + kRounding);
  const double last = std::ceil(high / step - kRounding);
  std::vector<double> ticks;
  for (double i = first; i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

Axis linear_axis(double low, double high, int max_ticks) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= size * kRounding || size < kSmallest) {
    const double around = size < kSmallest ? 1 : size / 2;
    low -= around;
    high += around;
  }
  return with_ends(low, high, false, linear_ticks(low, high, max_ticks));
}

// Digits at which a logarithmic axis has ticks in each power of ten, densest choice first.
constexpr std::array<std::string_view, 3> kFactors = {"125", "13", "1"};

// The ticks that enclose the range: from the last one at or below `low` to the first one at or
// above `high`.
std::vector<double> logarithmic_ticks(double low, double high, std::string_view factors) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low))) - 1;
  const int last = static_cast<int>(std::ceil(std::log10(high))) + 1;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (const char factor : factors) ticks.push_back((factor - '0') * power_of_ten(exponent));
  }
  const auto end = std::lower_bound(ticks.begin(), ticks.end(), high * (1 - kRounding));
  const auto begin = std::upper_bound(ticks.begin(), ticks.end(), low * (1 + kRounding)) - 1;
  return {begin, end + 1};
}

// A logarithmic axis with the ticks of a linear one, for ranges below kSmallRange.
Axis short_logarithmic_axis(double low, double high, int max_ticks) {
  if (high <= low * (1 + kRounding)) {
    low /= 2;
    high *= 2;
  }
  std::vector<double> ticks = linear_ticks(low, high, max_ticks);
  const bool from_zero = ticks.front() <= 0;
  if (from_zero) ticks.front() = low;
  Axis axis = with_ends(low, high, true, std::move(ticks));
  if (from_zero) axis.ticks.erase(axis.ticks.begin());
  return axis;
}

Axis logarithmic_axis(double low, double high, int max_ticks) {
  if (high / low <= kSmallRange) return short_logarithmic_axis(low, high, max_ticks);
  for (const std::string_view factors : kFactors) {
    Axis axis = with_ends(low, high, true, logarithmic_ticks(low, high, factors));
    if (axis.ticks.size() <= static_cast<std::size_t>(max_ticks)) return axis;
  }
  Axis axis = with_ends(low, high, true, logarithmic_ticks(low, high, kFactors.back()));
  const std::size_t every = 1 + (axis.ticks.size() - 1) / static_cast<std::size_t>(max_ticks);
  std::vector<double> fewer;
  for (std::size_t i = 0; i < axis.ticks.size(); i += every) fewer.push_back(axis.ticks[i]);
  axis.ticks = std::move(fewer);
  return axis;
}

// The number in exponent notation without trailing zeros, such as 1.5e-6.
std::string with_exponent(double value) {
  const std::string text = fmt::format("{:.2e}", value);
  const std::size_t e = text.find('e');
  const std::string digits = text.substr(0, text.find_last_not_of("0.", e - 1) + 1);
  return fmt::format("{}e{}", digits, std::stoi(text.substr(e + 1)));
}

}  // namespace

double Axis::place(double value) const {
  if (!logarithmic) return (value - low) / (high - low);
  return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
}

double Axis::value_at(double place) const {
  if (!logarithmic) return low + place * (high - low);
  return std::exp(std::log(low) + place * (std::log(high) - std::log(low)));
}

bool drawable(double value, bool logarithmic) {
  if (!(std::abs(value) <= kLargest)) return false;
  return !logarithmic || value >= kSmallest;
}

Axis axis_around(std::span<const double> values, bool logarithmic, int max_ticks) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : values) {
    if (!drawable(value, logarithmic)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const int limit = std::max(2, max_ticks);
  if (low > high) return logarithmic ? logarithmic_axis(1, 10, limit) : linear_axis(0, 1, limit);
  if (logarithmic) return logarithmic_axis(low, high, limit);
  if (low > 0 && low <= high / 2) low = 0;
  if (high < 0 && high >= low / 2) high = 0;
  return linear_axis(low, high, limit);
}

std::string short_number(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size < 0.999e-3 || size >= 1e15) return with_exponent(value);
  double scaled = value;
  std::string_view suffix;
  for (const std::string_view larger : {" k", " M", " G", " T"}) {
    if (std::abs(scaled) < 999.95) break;
    scaled /= 1000;
    suffix = larger;
  }
  return fmt::format("{:.4g}{}", scaled, suffix);
}

}  // namespace loom::report
