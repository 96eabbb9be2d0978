// The axes of charts: where they begin and end, what is written along them.
//
// Ticks stand at round values (1, 2 or 5 times a power of ten); on a logarithmic axis at powers of
// ten, with 2 and 5 between where there is room.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace loom {

struct Axis {
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  std::vector<double> ticks;  // in order, from low to high

  // From 0 at the low end to 1 at the high end.
  double place(double value) const;
  double value_at(double place) const;
};

// Infinities and what is no number stand nowhere; on a logarithmic axis only positive values do.
bool drawable(double value, bool logarithmic);

// An axis around all of these that can be drawn, with about so many ticks at most. A linear one
// begins at 0 where the values, all on one side of it, come near.
Axis axis_around(std::span<const double> values, bool logarithmic, int max_ticks);

// In few characters: "0.5", "2", "10 k", "1e-6".
std::string short_number(double value);

}  // namespace loom
