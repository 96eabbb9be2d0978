// A modulator's transfer curve, and the calibration that makes its intensities linear.
//
// A Mach-Zehnder modulator lets through lowest + (highest − lowest)·sin²(π/2 · (v − bias)/v_pi) of
// the light. Calibration sweeps the DAC, fits that curve to what the detector sees, and from the
// fit gives each magnitude the voltage that lets through its share. What is left is the step of the
// DAC, the error of the fit and the noise of the detector.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loom {

struct ModulatorCurve {
  double v_pi = 4.0;      // volts from dark to bright
  double bias = 0.3;      // volts at which it is darkest
  double lowest = 0.003;  // 25 dB of extinction
  double highest = 1;

  bool operator==(const ModulatorCurve&) const = default;
};

double transmitted(const ModulatorCurve& curve, double volts);

// The DAC before the modulator: even steps from lowest to highest voltage.
struct DriveRange {
  double lowest = -1;
  double highest = 6;
  int bits = 14;  // as of the data converters of Lightning's prototype board (ZCU111)
};

struct SweepPoint {
  double volts = 0;
  double detected = 0;
};

// What the detector sees for `points` voltages over the range; sigma is of 255.
std::vector<SweepPoint> sweep(const ModulatorCurve& curve, const DriveRange& range, int points,
                              double sigma, std::uint64_t seed);

// The curve nearest to the points (least squares), with v_pi between a tenth of the range and the
// whole. Needs at least eight points that are not all alike.
ModulatorCurve fit(std::span<const SweepPoint> points);

// The voltage for each magnitude 0 … 255, as the DAC can give it.
std::vector<double> drive_table(const ModulatorCurve& fitted, const DriveRange& range);

// The magnitude that an intensity stands for, 0 to 255 and fractions between, by the fitted curve.
double decoded(const ModulatorCurve& fitted, double intensity);

struct CalibrationReport {
  ModulatorCurve fitted;
  double rms_error = 0;         // of one modulator's magnitudes, of 255, without noise
  double largest_error = 0;     // of the same
  double product_sigma = 0;     // of products of two modulators with noise, of 255
  double product_accuracy = 0;  // 1 − mean |error| / 255
};

// Sweeps and fits, then sends every magnitude, and every product of two (in steps of `step`).
CalibrationReport calibrate(const ModulatorCurve& curve, const DriveRange& range, double sigma,
                            std::uint64_t seed, int step = 3);

}  // namespace loom
