// A number known from several independent runs: its mean and how sure that is.
#pragma once

#include <span>

namespace loom::photonic {

// 95 % of such intervals hold the true mean (Student's t over the runs); half is 0 for one run.
struct Estimate {
  double mean = 0;
  double half = 0;  // of the interval's width
  int runs = 0;
};

Estimate estimate_of(std::span<const double> values);

// The least value that at least this share of them does not exceed; 0 of none. Needs them sorted.
double percentile(std::span<const double> sorted, double share);

}  // namespace loom::photonic
