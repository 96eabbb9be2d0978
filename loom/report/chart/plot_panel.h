// One chart within a larger drawing: title, axes and lines, without a legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loom/report/chart/plot.h"
#include "loom/report/chart/svg.h"

namespace loom::report {

struct PlotBox {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

struct PlotPanel {
  std::string svg;
  PlotBox inner;                              // area of the lines
  std::vector<std::optional<double>> end_of;  // by series: height of its last point, if any
};

// Draws a chart into `box`. `size` is the font size along the axes; `styles` has one entry per
// series.
PlotPanel draw_panel(const Plot& plot, const PlotBox& box, double size,
                     const std::vector<svg::SeriesStyle>& styles);

}  // namespace loom::report
