// Learns a job's profile from a measured throughput series: time points, each with the bytes since
// the previous one.
//
// The series is resampled to bins of its median interval. The period is the first lag whose
// autocorrelation is nearly the highest, refined by the peaks at its multiples; a multiple replaces
// it if that explains the series much better. The mean iteration is segmented into phases of
// constant rate by least squares, with as many phases as explain more than noise.
#pragma once

#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/units.h"

namespace loom::jobs {

struct Series {
  Duration begin{0};  // start of the first interval, on the clock of the file
  Duration interval{0};
  std::vector<double> bytes;  // per interval
};

struct LearnedPhase {
  Duration length{0};
  Bandwidth rate;  // 0 while nothing is sent
};

struct Learned {
  Duration period{0};
  Duration offset{0};  // start of the first phase, relative to the start of the series
  std::vector<LearnedPhase> phases;  // starting at the beginning of a burst
  double periodicity = 0;            // autocorrelation at the period, at most 1
  double error = 0;                  // fraction of the bytes that the phases misplace in time
};

// Reads a CSV of time and bytes, times ascending. `from` is the source location that named the
// file.
Series read_series(std::string text, const std::string& source, const SourceLocation& from);

// Throws InputError at `from` if no period is found; the series must contain three periods.
Learned learn_profile(const Series& series, const SourceLocation& from);

}  // namespace loom::jobs
