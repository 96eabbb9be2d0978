#include "loom/report/chart/plot.h"

#include <algorithm>

#include "loom/base/error.h"
#include "loom/report/chart/plot_panel.h"
#include "loom/report/chart/svg.h"

namespace loom::report {
namespace {

constexpr double kPlotWidth = 640;  // width of a single chart, without the names on its right
constexpr double kHeight = 420;
constexpr double kPlotEdge = 20;
constexpr double kPlotLetters = 13;
constexpr double kBelowMiddle = kPlotLetters * 0.35;  // from the middle of a letter to its baseline
constexpr double kPlotLineHeight = 20;                // line height of names in a column
constexpr double kWidestKey = 320;

constexpr double kPanelWidth = 340;
constexpr double kPanelHeight = 250;
constexpr double kPanelGap = 28;
constexpr double kPanelLetters = 12;
constexpr double kKeyGap = 22;  // gap between names in a row

double key_width(const std::string& name, double size) {
  return std::min(kWidestKey, svg::kKeyWidth + svg::text_width(name, size));
}

// Spreads heights, sorted from top to bottom, so that each is at least `apart` below the previous
// one and all lie within [top, bottom]. The first pass moves them down as far as needed, the second
// moves those that ended up too low up again. Requires room for all.
void spread(std::vector<double>& heights, double top, double bottom, double apart) {
  double min = top;
  for (double& height : heights) {
    height = std::max(height, min);
    min = height + apart;
  }
  double max = bottom;
  for (std::size_t i = heights.size(); i-- > 0;) {
    heights[i] = std::min(heights[i], max);
    max = heights[i] - apart;
  }
}

std::string draw_names(const Plot& plot, const PlotPanel& panel,
                       const std::vector<svg::SeriesStyle>& styles) {
  std::vector<std::size_t> order;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    if (!plot.series[s].name.empty()) order.push_back(s);
  }
  const auto wanted = [&](std::size_t s) {
    return panel.end_of[s].value_or(panel.inner.bottom) + kBelowMiddle;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted(a) < wanted(b); });
  std::vector<double> heights;
  for (const std::size_t s : order) heights.push_back(wanted(s));
  const double room = panel.inner.bottom - panel.inner.top;
  spread(heights, panel.inner.top, panel.inner.bottom + kBelowMiddle,
         std::min(kPlotLineHeight,
                  room / static_cast<double>(std::max<std::size_t>(1, order.size()))));
  std::string out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    out += svg::key({panel.inner.right + kPlotLetters, heights[i]}, plot.series[order[i]].name,
                    styles[order[i]], kPlotLetters, kWidestKey);
  }
  return out;
}

// The names of all series, in order of appearance.
std::vector<std::string> all_names(const std::vector<Plot>& plots) {
  std::vector<std::string> names;
  for (const Plot& plot : plots) {
    for (const PlotSeries& series : plot.series) {
      if (std::find(names.begin(), names.end(), series.name) == names.end()) {
        names.push_back(series.name);
      }
    }
  }
  return names;
}

std::vector<svg::SeriesStyle> styles_by_name(const Plot& plot,
                                             const std::vector<std::string>& names) {
  std::vector<svg::SeriesStyle> styles;
  for (const PlotSeries& series : plot.series) {
    const auto found = std::find(names.begin(), names.end(), series.name);
    styles.push_back(svg::series_style(static_cast<std::size_t>(found - names.begin())));
  }
  return styles;
}

// Draws the names in as many rows as needed, and moves `y` below them.
std::string draw_legend(const std::vector<std::string>& names, double right, double& y) {
  std::string out;
  double x = kPlotEdge;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    const double width = key_width(names[i], kPlotLetters);
    if (x > kPlotEdge && x + width > right) {
      x = kPlotEdge;
      y += kPlotLineHeight;
    }
    out += svg::key({x, y + kPlotLetters}, names[i], svg::series_style(i), kPlotLetters, width);
    x += width + kKeyGap;
  }
  y += out.empty() ? 0 : kPlotLineHeight + kPlotLetters;
  return out;
}

}  // namespace

std::string to_svg(const Plot& plot) {
  std::vector<svg::SeriesStyle> styles;
  double names = 0;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    styles.push_back(svg::series_style(s));
    if (plot.series[s].name.empty()) continue;
    names = std::max(names, key_width(plot.series[s].name, kPlotLetters));
  }
  const PlotBox box{kPlotEdge, kPlotEdge, kPlotWidth - kPlotEdge, kHeight - kPlotEdge};
  const PlotPanel panel = draw_panel(plot, box, kPlotLetters, styles);
  return svg::document(kPlotWidth + names, kHeight, plot.title,
                       panel.svg + draw_names(plot, panel, styles));
}

std::string to_svg_grid(const std::vector<Plot>& plots, int columns, const std::string& title) {
  LOOM_CHECK(columns >= 1, "a grid of charts has a column");
  const std::size_t across =
      std::max<std::size_t>(1, std::min(static_cast<std::size_t>(columns), plots.size()));
  const double right =
      kPlotEdge + static_cast<double>(across) * (kPanelWidth + kPanelGap) - kPanelGap;
  const std::vector<std::string> names = all_names(plots);
  double y = kPlotEdge;
  std::string out;
  if (!title.empty()) {
    const svg::Letters letters{.size = kPlotLetters * 1.4, .bold = true};
    out += svg::text({kPlotEdge, y + kPlotLetters},
                     svg::fitted(title, letters.size * 1.05, right - kPlotEdge), letters);
    y += kPlotLetters * 2.2;
  }
  out += draw_legend(names, right, y);
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const double left = kPlotEdge + static_cast<double>(i % across) * (kPanelWidth + kPanelGap);
    const PlotBox box{left, y, left + kPanelWidth, y + kPanelHeight};
    out += draw_panel(plots[i], box, kPanelLetters, styles_by_name(plots[i], names)).svg;
    if (i % across == across - 1 || i + 1 == plots.size()) y += kPanelHeight + kPanelGap;
  }
  return svg::document(right + kPlotEdge, std::max(y - kPanelGap, kPlotEdge) + kPlotEdge, title,
                       out);
}

}  // namespace loom::report
