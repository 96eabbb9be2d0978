// The axes of charts: their ends, ticks and labels.
//
// Ticks are at multiples of a round step: 1, 2 or 5 times a power of ten. A logarithmic axis has
// them at powers of ten, with 2 and 5, or 3, times a power of ten in between if there is room; over
// a short range it has the ticks of a linear axis.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace loom::report {

struct Axis {
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  std::vector<double> ticks;  // ascending

  // The position of a value on the axis, from 0 at the low end to 1 at the high end.
  double place(double value) const;
  double value_at(double place) const;
};

// Whether a chart can show the value: it is finite, not extremely large and, on a logarithmic axis,
// positive and not extremely small.
bool drawable(double value, bool logarithmic);

// Returns an axis that encloses all drawable values, with at most about `max_ticks` ticks. If all
// values have the same sign, a linear axis begins or ends at 0, unless even the value nearest to 0
// is more than half of the farthest.
Axis axis_around(std::span<const double> values, bool logarithmic, int max_ticks);

// A short form of the number: "0.5", "2", "10 k", "1e-6".
std::string short_number(double value);

}  // namespace loom::report
