// A profile learned from a measured throughput series: when, and how many bytes since the last
// time.
//
// The series is spread evenly over bins of its median interval. The period is the lag at which it
// is most like itself (autocorrelation), made finer by the multiples of it that the series has room
// for. Folded at the period, its mean is cut into the phases of constant rate that fit best for
// their number: one more phase must explain more than noise would.
#pragma once

#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/units.h"

namespace loom {

struct Series {
  Duration begin{0};  // of the first interval, on the clock of the file
  Duration interval{0};
  std::vector<double> bytes;  // in each interval
};

struct LearnedPhase {
  Duration length{0};
  Bandwidth rate;  // zero while nothing is sent
};

struct Learned {
  Duration period{0};
  Duration offset{0};                // from the beginning of the series to where phases begin
  std::vector<LearnedPhase> phases;  // from a moment at which a burst begins
  double periodicity = 0;            // of 1: how like itself the series is a period later
  double error = 0;                  // bytes of the series that the phases put elsewhere, of all
};

// A CSV of time and bytes, times ascending. `from` is where the file was named.
Series read_series(std::string text, const std::string& source, const SourceLocation& from);

// InputError at `from` where no period is found: a series of three periods or more is needed.
Learned learn_profile(const Series& series, const SourceLocation& from);

}  // namespace loom
