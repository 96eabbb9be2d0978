// One chart within a larger picture: its title, axes and lines, without a legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loom/report/chart/plot.h"
#include "loom/report/chart/svg.h"

namespace loom {

struct PlotBox {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

struct PlotPanel {
  std::string svg;
  PlotBox inner;                              // where the lines are
  std::vector<std::optional<double>> end_of;  // by series: how high its last point stands, if any
};

// `size` is that of the letters along the axes; `styles` has one for each series.
PlotPanel draw_panel(const Plot& plot, const PlotBox& box, double size,
                     const std::vector<svg::SeriesStyle>& styles);

}  // namespace loom
