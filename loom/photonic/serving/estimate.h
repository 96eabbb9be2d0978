// The mean of a quantity over several independent runs, and its confidence interval.
#pragma once

#include <span>

namespace loom::photonic {

// 95 % of such intervals contain the true mean (Student's t over the runs); half is 0 for one run.
struct Estimate {
  double mean = 0;
  double half = 0;  // half the width of the interval
  int runs = 0;
};

Estimate estimate_of(std::span<const double> values);

// The smallest value that at least this fraction of the values does not exceed; 0 if there are
// none. Needs sorted values.
double percentile(std::span<const double> sorted, double share);

}  // namespace loom::photonic
