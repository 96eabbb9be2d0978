// The axes of charts: their ends, ticks and labels.
//
// Ticks are at round values (1, 2 or 5 times a power of ten); on a logarithmic axis at powers of
// ten, with 2 and 5 in between if there is room.
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

// Whether the value is finite and, on a logarithmic axis, positive.
bool drawable(double value, bool logarithmic);

// Returns an axis that encloses all drawable values, with at most about `max_ticks` ticks. A linear
// axis begins at 0 if all values have the same sign and some are near 0.
Axis axis_around(std::span<const double> values, bool logarithmic, int max_ticks);

// A short form of the number: "0.5", "2", "10 k", "1e-6".
std::string short_number(double value);

}  // namespace loom::report
