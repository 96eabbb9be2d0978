#include "loom/report/chart/plot_panel.h"

#include <algorithm>

#include "loom/report/chart/axis.h"

namespace loom::report {
namespace {

constexpr double kPixelsPerTickX = 60;
constexpr double kPixelsPerTickY = 36;
constexpr std::size_t kMaxMarkers = 24;  // maximum markers per line; more would hide the line

bool drawn(const Plot& plot, const std::pair<double, double>& point) {
  return drawable(point.first, plot.x_logarithmic) && drawable(point.second, plot.y_logarithmic);
}

struct Values {
  std::vector<double> x;
  std::vector<double> y;
};

Values drawn_values(const Plot& plot) {
  Values values;
  for (const PlotSeries& series : plot.series) {
    for (const std::pair<double, double>& point : series.points) {
      if (!drawn(plot, point)) continue;
      values.x.push_back(point.first);
      values.y.push_back(point.second);
    }
  }
  return values;
}

int ticks_in(double pixels, double pixels_per_tick) {
  return 1 + static_cast<int>(std::max(pixels, 0.0) / pixels_per_tick);
}

struct Frame {
  Axis x;
  Axis y;
  PlotBox inner;
  double size = 12;

  double across(double value) const {
    return inner.left + x.place(value) * (inner.right - inner.left);
  }
  double down(double value) const {
    return inner.bottom - y.place(value) * (inner.bottom - inner.top);
  }
};

Frame frame_of(const Plot& plot, const PlotBox& box, double size) {
  Frame frame{.x = {}, .y = {}, .inner = box, .size = size};
  PlotBox& inner = frame.inner;
  inner.top +=
      (plot.title.empty() ? 0 : size * 2.2) + (plot.y_label.empty() ? 0 : size * 1.6) + size * 0.5;
  inner.bottom -= size * 1.8 + (plot.x_label.empty() ? 0 : size * 1.6);
  const Values values = drawn_values(plot);
  frame.y = axis_around(values.y, plot.y_logarithmic,
                        ticks_in(inner.bottom - inner.top, kPixelsPerTickY));
  double widest = 0;
  for (const double tick : frame.y.ticks) {
    widest = std::max(widest, svg::text_width(short_number(tick), size));
  }
  inner.left += widest + size * 0.8;
  inner.right -= size * 1.2;  // room for half of the last label
  frame.x = axis_around(values.x, plot.x_logarithmic,
                        ticks_in(inner.right - inner.left, kPixelsPerTickX));
  return frame;
}

std::string draw_titles(const Plot& plot, const PlotBox& box, const Frame& frame) {
  const double size = frame.size;
  const double width = box.right - box.left;
  std::string out;
  double y = box.top;
  if (!plot.title.empty()) {
    const svg::Letters letters{.size = size * 1.25, .bold = true};
    out += svg::text({box.left, y + size * 1.2},
                     svg::fitted(plot.title, letters.size * 1.05, width), letters);
    y += size * 2.2;
  }
  const svg::Letters pale{.size = size, .color = svg::kPale};
  if (!plot.y_label.empty()) {
    out += svg::text({box.left, y + size}, svg::fitted(plot.y_label, size, width), pale);
  }
  if (!plot.x_label.empty()) {
    svg::Letters below = pale;
    below.anchor = "middle";
    out += svg::text({(frame.inner.left + frame.inner.right) / 2, box.bottom - size * 0.4},
                     svg::fitted(plot.x_label, size, width), below);
  }
  return out;
}

std::string draw_axes(const Frame& frame) {
  const PlotBox& inner = frame.inner;
  const double size = frame.size;
  std::string lines;
  std::string labels;
  for (const double tick : frame.y.ticks) {
    const double y = frame.down(tick);
    lines += svg::rule({inner.left, y}, {inner.right, y}, svg::kGrid);
    labels += svg::text({inner.left - size * 0.6, y + size * 0.35}, short_number(tick),
                        {.size = size, .color = svg::kPale, .anchor = "end"});
  }
  double free_from = 0;
  for (const double tick : frame.x.ticks) {
    const double x = frame.across(tick);
    lines += svg::rule({x, inner.top}, {x, inner.bottom}, svg::kGrid);
    const double half = svg::text_width(short_number(tick), size) / 2;
    if (x - half < free_from) continue;
    free_from = x + half + size * 0.5;
    labels += svg::text({x, inner.bottom + size * 1.4}, short_number(tick),
                        {.size = size, .color = svg::kPale, .anchor = "middle"});
  }
  lines += svg::rule({inner.left, inner.bottom}, {inner.right, inner.bottom}, "#888");
  return lines + labels;
}

// Splits a line into pieces at points that cannot be drawn.
std::vector<std::vector<svg::Point>> runs_of(const Plot& plot, const PlotSeries& series,
                                             const Frame& frame) {
  std::vector<std::vector<svg::Point>> runs;
  bool open = false;
  for (const std::pair<double, double>& point : series.points) {
    const bool here = drawn(plot, point);
    if (here && !open) runs.emplace_back();
    if (here) runs.back().push_back({frame.across(point.first), frame.down(point.second)});
    open = here;
  }
  return runs;
}

std::string draw_markers(const std::vector<std::vector<svg::Point>>& runs,
                         const svg::SeriesStyle& style) {
  std::size_t points = 0;
  for (const std::vector<svg::Point>& run : runs) points += run.size();
  const std::size_t every = 1 + points / (kMaxMarkers + 1);
  std::string out;
  for (const std::vector<svg::Point>& run : runs) {
    for (std::size_t i = 0; i < run.size(); i += every) out += svg::marker(run[i], style);
  }
  return out;
}

}  // namespace

PlotPanel draw_panel(const Plot& plot, const PlotBox& box, double size,
                     const std::vector<svg::SeriesStyle>& styles) {
  const Frame frame = frame_of(plot, box, size);
  PlotPanel panel{draw_titles(plot, box, frame) + draw_axes(frame), frame.inner, {}};
  std::string markers;  // drawn above all lines
  bool any = false;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const auto runs = runs_of(plot, plot.series[s], frame);
    panel.svg += svg::series_line(runs, styles[s]);
    markers += draw_markers(runs, styles[s]);
    panel.end_of.push_back(runs.empty() ? std::nullopt : std::optional(runs.back().back().y));
    any = any || !runs.empty();
  }
  panel.svg += markers;
  if (!any) {
    const PlotBox& inner = frame.inner;
    panel.svg += svg::text({(inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2},
                           "no data", {.size = size, .color = svg::kPale, .anchor = "middle"});
  }
  return panel;
}

}  // namespace loom::report
