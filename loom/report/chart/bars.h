// Bars beside their names as SVG text: one number each, to see which is least and by how much.
#pragma once

#include <string>
#include <vector>

namespace loom {

struct Bar {
  std::string name;
  double value = 0;   // none is drawn where it is not positive
  std::string label;  // at the end of the bar
};

// Bars that are compared with each other.
struct BarGroup {
  std::string title;  // "" for none
  std::vector<Bar> bars;
};

struct BarChart {
  std::string title;
  std::string axis;  // what the bars are
  std::vector<BarGroup> groups;
};

// Groups below each other, all on one scale that begins at 0.
std::string to_svg(const BarChart& chart);

}  // namespace loom
