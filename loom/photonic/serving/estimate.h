// The mean of a quantity over several independent runs, and its confidence interval.
#pragma once

#include <span>

namespace loom::photonic {

// A mean and its 95 % confidence interval, mean ± half (Student's t over the runs). `half` is 0 for
// one run.
struct Estimate {
  double mean = 0;
  double half = 0;  // half the width of the interval
  int runs = 0;
};

Estimate estimate_of(std::span<const double> values);

}  // namespace loom::photonic
