// Transfer curve of an optical modulator, and the calibration that makes its intensities linear.
//
// A Mach-Zehnder modulator transmits lowest + (highest − lowest)·sin²(π/2 · (v − bias)/v_pi) of the
// light. Calibration sweeps the DAC, fits this curve to the detector's readings, and assigns each
// magnitude the voltage that transmits the corresponding intensity. The remaining errors come from
// the DAC's step, the fit and the detector's noise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loom::photonic {

struct ModulatorCurve {
  double v_pi = 4.0;      // volts from the darkest to the brightest point
  double bias = 0.3;      // volts of the darkest point
  double lowest = 0.003;  // smallest transmitted fraction: 25 dB of extinction
  double highest = 1;

  bool operator==(const ModulatorCurve&) const = default;
};

double transmitted(const ModulatorCurve& curve, double volts);

// Range of the DAC that drives the modulator: equal steps from the lowest to the highest voltage.
struct DriveRange {
  double lowest = -1;
  double highest = 6;
  int bits = 14;  // like the data converters of Lightning's prototype board (ZCU111)
};

struct SweepPoint {
  double volts = 0;
  double detected = 0;
};

// The detector's readings for `points` voltages over the range; `sigma` is the standard deviation
// of their noise, where 255 is full scale.
std::vector<SweepPoint> sweep(const ModulatorCurve& curve, const DriveRange& range, int points,
                              double sigma, std::uint64_t seed);

// Least-squares fit of the curve, with v_pi between a tenth of the range of voltages and the full
// range. Needs at least eight points with different readings.
ModulatorCurve fit(std::span<const SweepPoint> points);

// The voltage for each magnitude 0 … 255, rounded to the DAC's steps.
std::vector<double> drive_table(const ModulatorCurve& fitted, const DriveRange& range);

// The magnitude, a real number from 0 to 255, that an intensity represents by the fitted curve.
double decoded(const ModulatorCurve& fitted, double intensity);

struct CalibrationReport {
  ModulatorCurve fitted;
  double rms_error = 0;         // RMS error of magnitudes without noise; full scale is 255
  double largest_error = 0;     // largest error of a magnitude
  double product_sigma = 0;     // RMS error of products of two modulators; full scale is 255
  double product_accuracy = 0;  // 1 − mean |error of a product| / 255
};

// Calibrates a modulator, and reports the errors of all magnitudes, and of the products of every
// `step`-th magnitude.
CalibrationReport calibrate(const ModulatorCurve& curve, const DriveRange& range, double sigma,
                            std::uint64_t seed, int step = 3);

}  // namespace loom::photonic
