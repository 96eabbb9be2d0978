// Line charts as self-contained SVG text for studies, papers and web pages.
//
// Series differ in color, dash and marker, so they can be told apart in print and with any color
// vision. Values that cannot be drawn (NaN, infinite, not positive on a logarithmic axis) leave a
// gap in the line. The same plot gives the same bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace loom::report {

struct PlotSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x, y; connected in this order
};

struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool x_logarithmic = false;
  bool y_logarithmic = false;
  std::vector<PlotSeries> series;
};

// Draws one chart, with each name on the right as near to the end of its line as possible.
std::string to_svg(const Plot& plot);

// Draws a grid of small charts under one title, each with its own axes. Series with the same name
// look the same in all charts, which share one legend. Requires columns >= 1.
std::string to_svg_grid(const std::vector<Plot>& plots, int columns, const std::string& title);

}  // namespace loom::report
