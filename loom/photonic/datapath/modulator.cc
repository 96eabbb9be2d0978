#include "loom/photonic/datapath/modulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/photonic/datapath/analog.h"

namespace loom::photonic {
namespace {

constexpr double kPi = std::numbers::pi;

// Fit of A + C·cos(k·v) + S·sin(k·v), k = π/v_pi, to the readings. It is linear for a given v_pi;
// lowest, highest and bias follow from A, C and S.
struct LinearFit {
  std::array<double, 3> coefficients{};  // A, C and S
  double error = 0;                      // sum of the squared errors
};

using Row = std::array<double, 4>;  // three unknowns and the right-hand side

// Gaussian elimination with partial pivoting.
std::array<double, 3> solved(std::array<Row, 3> rows) {
  for (std::size_t c = 0; c < 3; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < 3; ++r) {
      if (std::abs(rows[r][c]) > std::abs(rows[pivot][c])) pivot = r;
    }
    std::swap(rows[c], rows[pivot]);
    if (rows[c][c] == 0) return {};
    for (std::size_t r = 0; r < 3; ++r) {
      if (r == c) continue;
      const double factor = rows[r][c] / rows[c][c];
      for (std::size_t k = c; k < 4; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  return {rows[0][3] / rows[0][0], rows[1][3] / rows[1][1], rows[2][3] / rows[2][2]};
}

LinearFit linear_fit(std::span<const SweepPoint> points, double v_pi) {
  std::array<Row, 3> rows{};
  for (const SweepPoint& point : points) {
    const double angle = kPi * point.volts / v_pi;
    const std::array<double, 3> terms = {1, std::cos(angle), std::sin(angle)};
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) rows[r][c] += terms[r] * terms[c];
      rows[r][3] += terms[r] * point.detected;
    }
  }
  LinearFit fit;
  fit.coefficients = solved(rows);
  for (const SweepPoint& point : points) {
    const double angle = kPi * point.volts / v_pi;
    const double value = fit.coefficients[0] + fit.coefficients[1] * std::cos(angle) +
                         fit.coefficients[2] * std::sin(angle);
    fit.error += (value - point.detected) * (value - point.detected);
  }
  return fit;
}

// The v_pi with the smallest error: the best of a grid, refined by golden-section search.
double best_v_pi(std::span<const SweepPoint> points, double range) {
  constexpr int kGrid = 200;
  const double step = 0.9 * range / kGrid;
  double best = range;
  double min_error = linear_fit(points, best).error;
  for (int i = 0; i < kGrid; ++i) {
    const double v_pi = 0.1 * range + i * step;
    const double error = linear_fit(points, v_pi).error;
    if (error < min_error) {
      min_error = error;
      best = v_pi;
    }
  }
  double low = best - step;
  double high = best + step;
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  for (int i = 0; i < 60; ++i) {
    const double a = high - ratio * (high - low);
    const double b = low + ratio * (high - low);
    const bool left = linear_fit(points, a).error < linear_fit(points, b).error;
    (left ? high : low) = left ? b : a;
  }
  return (low + high) / 2;
}

double step_of(const DriveRange& range) {
  return (range.highest - range.lowest) / static_cast<double>((1 << range.bits) - 1);
}

double at_step(double volts, const DriveRange& range) {
  const double steps = std::rint((volts - range.lowest) / step_of(range));
  return range.lowest + std::clamp(steps, 0.0, std::ldexp(1.0, range.bits) - 1) * step_of(range);
}

void report_single(const ModulatorCurve& curve, std::span<const double> volts,
                   CalibrationReport& report) {
  double squares = 0;
  for (std::size_t magnitude = 0; magnitude < volts.size(); ++magnitude) {
    const double error = decoded(report.fitted, transmitted(curve, volts[magnitude])) -
                         static_cast<double>(magnitude);
    squares += error * error;
    report.largest_error = std::max(report.largest_error, std::abs(error));
  }
  report.rms_error = std::sqrt(squares / static_cast<double>(volts.size()));
}

// Errors of the products of two modulators in series with the same curve. Decoding subtracts the
// light that a modulator transmits at its darkest point.
void report_products(const ModulatorCurve& curve, std::span<const double> volts, double sigma,
                     std::uint64_t seed, int step, CalibrationReport& report) {
  double squares = 0;
  double sizes = 0;
  std::uint64_t count = 0;
  for (std::size_t a = 0; a < volts.size(); a += static_cast<std::size_t>(step)) {
    for (std::size_t b = 0; b < volts.size(); b += static_cast<std::size_t>(step)) {
      const double first = decoded(report.fitted, transmitted(curve, volts[a]));
      const double second = decoded(report.fitted, transmitted(curve, volts[b]));
      const double seen = first * second / 255 + sigma * normal_from(mix(seed + 1, count));
      const double error = seen - static_cast<double>(a * b) / 255;
      squares += error * error;
      sizes += std::abs(error);
      ++count;
    }
  }
  report.product_sigma = std::sqrt(squares / static_cast<double>(count));
  report.product_accuracy = 1 - sizes / static_cast<double>(count) / 255;
}

}  // namespace

double transmitted(const ModulatorCurve& curve, double volts) {
  const double sine = std::sin(kPi / 2 * (volts - curve.bias) / curve.v_pi);
  return curve.lowest + (curve.highest - curve.lowest) * sine * sine;
}

std::vector<SweepPoint> sweep(const ModulatorCurve& curve, const DriveRange& range, int points,
                              double sigma, std::uint64_t seed) {
  std::vector<SweepPoint> result;
  for (int i = 0; i < points; ++i) {
    const double volts =
        at_step(range.lowest + (range.highest - range.lowest) * i / (points - 1), range);
    const double noise = sigma / 255 * normal_from(mix(seed, static_cast<std::uint64_t>(i)));
    result.push_back({volts, transmitted(curve, volts) + noise});
  }
  return result;
}

ModulatorCurve fit(std::span<const SweepPoint> points) {
  LOOM_CHECK(points.size() >= 8, "a curve of four parameters is fitted to more points");
  const auto [first, last] = std::minmax_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.volts < b.volts; });
  ModulatorCurve curve;
  curve.v_pi = best_v_pi(points, last->volts - first->volts);
  const auto [mean, cosine, sine] = linear_fit(points, curve.v_pi).coefficients;
  const double swing = std::hypot(cosine, sine);
  // The curve is mean − swing·cos(π(v − bias)/v_pi); chooses the bias nearest to zero volts.
  curve.bias = std::atan2(-sine, -cosine) / kPi * curve.v_pi;
  curve.lowest = mean - swing;
  curve.highest = mean + swing;
  return curve;
}

std::vector<double> drive_table(const ModulatorCurve& fitted, const DriveRange& range) {
  std::vector<double> volts;
  for (int magnitude = 0; magnitude <= 255; ++magnitude) {
    const double angle = std::asin(std::sqrt(magnitude / 255.0));
    volts.push_back(at_step(fitted.bias + fitted.v_pi * angle * 2 / kPi, range));
  }
  return volts;
}

double decoded(const ModulatorCurve& fitted, double intensity) {
  return 255 * (intensity - fitted.lowest) / (fitted.highest - fitted.lowest);
}

CalibrationReport calibrate(const ModulatorCurve& curve, const DriveRange& range, double sigma,
                            std::uint64_t seed, int step) {
  CalibrationReport report;
  report.fitted = fit(sweep(curve, range, 1024, sigma, seed));
  const std::vector<double> volts = drive_table(report.fitted, range);
  report_single(curve, volts, report);
  report_products(curve, volts, sigma, seed, step, report);
  return report;
}

}  // namespace loom::photonic
