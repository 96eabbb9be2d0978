#include "loom/report/chart/iterations_chart.h"

#include "loom/report/chart/plot.h"

namespace loom::report {

std::string iterations_svg(const std::string& title, const std::vector<IterationLine>& lines) {
  Plot plot{.title = title, .x_label = "iteration", .y_label = "iteration time [ms]"};
  for (const IterationLine& line : lines) {
    PlotSeries series{.name = line.name};
    for (std::size_t i = 0; i < line.seconds.size(); ++i) {
      series.points.emplace_back(static_cast<double>(i + 1), line.seconds[i] * 1e3);
    }
    plot.series.push_back(std::move(series));
  }
  return to_svg(plot);
}

}  // namespace loom::report
