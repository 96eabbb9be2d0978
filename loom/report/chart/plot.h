// Line charts as SVG text that stands alone: for studies, papers and web pages.
//
// Series differ in color, dash and marker, so they can be told apart in print and with any color
// vision. What cannot be drawn (no number, infinite, zero or negative on a logarithmic axis) is
// left out, and the line has a gap there. The same plot gives the same bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace loom {

struct PlotSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x, y; joined in this order
};

struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool x_logarithmic = false;
  bool y_logarithmic = false;
  std::vector<PlotSeries> series;
};

// One chart; the names stand at its right, each as near to the end of its line as others allow.
std::string to_svg(const Plot& plot);

// Small charts beside and below each other under one title, each with axes of its own. Series of
// one name look alike in all, and one legend serves all. Needs columns >= 1.
std::string to_svg_grid(const std::vector<Plot>& plots, int columns, const std::string& title);

}  // namespace loom
