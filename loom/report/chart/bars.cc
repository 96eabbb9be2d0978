#include "loom/report/chart/bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/report/chart/axis.h"
#include "loom/report/chart/svg.h"

namespace loom::report {
namespace {

constexpr double kBarsWidth = 760;
constexpr double kBarsEdge = 20;
constexpr double kBarsLetters = 13;
constexpr double kBarHeight = 14;
constexpr double kBarsLineHeight = 22;
constexpr double kGroupGap = 16;
constexpr double kWidestName = 300;
constexpr int kTicks = 6;
constexpr std::string_view kBarColor = "#0072b2";
constexpr std::string_view kBestColor = "#009e73";

// Horizontal layout, from left to right.
struct Columns {
  double names = 0;  // right end of the names
  double bars = 0;   // left end of the bars
  double right = 0;  // right end of the longest bar
};

template <class Measure>
double widest(const BarChart& chart, Measure&& measure) {
  double max = 0;
  for (const BarGroup& group : chart.groups) {
    for (const Bar& bar : group.bars) max = std::max(max, measure(bar));
  }
  return max;
}

Columns columns_of(const BarChart& chart) {
  const double names =
      std::min(kWidestName,
               widest(chart, [](const Bar& it) { return svg::text_width(it.name, kBarsLetters); }));
  const double labels =
      widest(chart, [](const Bar& it) { return svg::text_width(it.label, kBarsLetters); });
  Columns columns;
  columns.names = kBarsEdge + names;
  columns.bars = columns.names + kBarsLetters * 0.8;
  columns.right = std::max(columns.bars + 100, kBarsWidth - kBarsEdge - labels - kBarsLetters);
  return columns;
}

std::string rectangle(double left, double top, double right, std::string_view color) {
  return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{}' fill='{}' rx='2'/>\n",
                     left, top, std::max(right - left, 0.5), kBarHeight, color);
}

std::string draw_bar(const Bar& bar, const Columns& columns, const Axis& axis, double top,
                     bool best) {
  const double base = top + kBarHeight - kBarsLetters * 0.2;
  std::string out =
      svg::text({columns.names, base}, svg::fitted(bar.name, kBarsLetters, kWidestName),
                {.size = kBarsLetters, .anchor = "end", .bold = best});
  double end = columns.bars;
  if (drawable(bar.value, false) && bar.value > 0) {
    end += axis.place(bar.value) * (columns.right - columns.bars);
    out += rectangle(columns.bars, top, end, best ? kBestColor : kBarColor);
  }
  return out + svg::text({end + kBarsLetters * 0.5, base}, bar.label,
                         {.size = kBarsLetters, .color = svg::kPale, .bold = best});
}

// The smallest positive value of a group; 0 if there is none. All bars with this value are
// highlighted.
double smallest_of(const BarGroup& group) {
  double smallest = 0;
  for (const Bar& bar : group.bars) {
    if (bar.value > 0 && (smallest == 0 || bar.value < smallest)) smallest = bar.value;
  }
  return smallest;
}

std::string draw_axis(const Axis& axis, const Columns& columns, double top, double bottom) {
  std::string out;
  for (const double tick : axis.ticks) {
    const double x = columns.bars + axis.place(tick) * (columns.right - columns.bars);
    out += svg::rule({x, top}, {x, bottom}, svg::kGrid);
    out += svg::text({x, bottom + kBarsLetters * 1.4}, short_number(tick),
                     {.size = kBarsLetters, .color = svg::kPale, .anchor = "middle"});
  }
  return out;
}

}  // namespace

std::string to_svg(const BarChart& chart) {
  std::vector<double> values = {0};
  for (const BarGroup& group : chart.groups) {
    for (const Bar& bar : group.bars) values.push_back(std::max(bar.value, 0.0));
  }
  const Axis axis = axis_around(values, false, kTicks);
  const Columns columns = columns_of(chart);
  double y = kBarsEdge;
  std::string words = svg::text({kBarsEdge, y + kBarsLetters}, chart.title,
                                {.size = kBarsLetters * 1.25, .bold = true});
  y += kBarsLetters * 2.4;
  const double top = y;
  for (const BarGroup& group : chart.groups) {
    if (!group.title.empty()) {
      words += svg::text({kBarsEdge, y + kBarsLetters}, group.title,
                         {.size = kBarsLetters, .bold = true});
      y += kBarsLineHeight;
    }
    const double smallest = smallest_of(group);
    for (const Bar& bar : group.bars) {
      words += draw_bar(bar, columns, axis, y, bar.value > 0 && bar.value == smallest);
      y += kBarsLineHeight;
    }
    y += kGroupGap;
  }
  y -= chart.groups.empty() ? 0 : kGroupGap;
  const std::string lines = draw_axis(axis, columns, top, y);
  words += svg::text({(columns.bars + columns.right) / 2, y + kBarsLetters * 3}, chart.axis,
                     {.size = kBarsLetters, .color = svg::kPale, .anchor = "middle"});
  return svg::document(kBarsWidth, y + kBarsLetters * 3 + kBarsEdge, chart.title, lines + words);
}

}  // namespace loom::report
