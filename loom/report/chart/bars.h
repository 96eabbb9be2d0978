// Bar charts as SVG text: one bar per named value, to compare times.
#pragma once

#include <string>
#include <vector>

namespace loom::report {

struct Bar {
  std::string name;
  double value = 0;   // no bar if it is not positive
  std::string label;  // text at the end of the bar
};

// Bars that are compared with each other.
struct BarGroup {
  std::string title;  // "" for none
  std::vector<Bar> bars;
};

struct BarChart {
  std::string title;
  std::string axis;  // label of the axis
  std::vector<BarGroup> groups;
};

// Draws the groups below each other, all on one scale that begins at 0.
std::string to_svg(const BarChart& chart);

}  // namespace loom::report
