#include "loom/report/chart/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "loom/report/chart/svg.h"

namespace loom::report {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++found;
  }
  return found;
}

// The number of markers without those of the legend, which has one per name.
int points_in(const std::string& drawing, int names) {
  return count(drawing, "translate(") - names;
}

Plot plot_of(std::vector<PlotSeries> series) {
  return {.title = "T", .x_label = "x", .y_label = "y", .series = std::move(series)};
}

TEST(Plot, EveryPointHasAMarkerAndEverySeriesAName) {
  const std::string drawing = to_svg(plot_of({{"a", {{0, 1}, {1, 2}, {2, 3}}}, {"b", {{0, 5}}}}));
  EXPECT_EQ(points_in(drawing, 2), 4);
  EXPECT_EQ(count(drawing, ">a</text>"), 1);
  EXPECT_EQ(count(drawing, ">b</text>"), 1);
  EXPECT_EQ(count(drawing, "no data"), 0);
}

TEST(Plot, PointsThatCannotBeDrawnLeaveAGap) {
  const double nan = std::nan("");
  const std::string gap = to_svg(plot_of({{"a", {{0, 1}, {1, 2}, {2, nan}, {3, 4}, {4, 5}}}}));
  EXPECT_EQ(points_in(gap, 1), 4);
  EXPECT_EQ(count(gap, "nan"), 0);
  Plot plot = plot_of({{"a", {{1, 1}, {0, 2}, {10, 0}, {100, -1}, {kInfinity, 3}, {1000, 4}}}});
  plot.x_logarithmic = true;
  plot.y_logarithmic = true;
  EXPECT_EQ(points_in(to_svg(plot), 1), 2);
}

TEST(Plot, AnEmptyPlotSaysNoData) {
  EXPECT_EQ(count(to_svg({}), "no data"), 1);
  EXPECT_EQ(count(to_svg(plot_of({{"a", {}}, {"b", {{kInfinity, 1}}}})), "no data"), 1);
  EXPECT_EQ(count(to_svg_grid({{}, {}}, 2, "none"), "no data"), 2);
  EXPECT_EQ(count(to_svg_grid({}, 3, "none"), "</svg>"), 1);
}

TEST(Plot, UserNamesAreEscaped) {
  Plot plot = plot_of({{"a<b>&'\"", {{0, 1}}}});
  plot.title = "</title><script>";
  const std::string drawing = to_svg(plot) + to_svg_grid({plot}, 1, "<i>");
  EXPECT_EQ(count(drawing, "<script"), 0);
  EXPECT_EQ(count(drawing, "<i>"), 0);
  EXPECT_EQ(count(drawing, ">a&lt;b&gt;&amp;&apos;&quot;</text>"), 2);
  EXPECT_EQ(svg::escaped("a\x01z\xffz\n"), "a z z ");
}

TEST(Plot, LongNamesAreTruncatedBetweenCharactersAndShownInFullAsTooltip) {
  std::string name;
  for (int i = 0; i < 40; ++i) name += "äöü";
  const std::string drawing = to_svg(plot_of({{name, {{0, 1}}}}));
  EXPECT_EQ(count(drawing, "<title>" + name + "</title>"), 1);
  EXPECT_EQ(count(drawing, "…</text>"), 1);
  EXPECT_EQ(svg::fitted("äää", 10, 1), "…");
  EXPECT_EQ(svg::fitted("short", 10, 100), "short");
}

TEST(Plot, TenSeriesDifferInAtLeastTwoOfColorDashAndMarker) {
  for (std::size_t a = 0; a < 10; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const svg::SeriesStyle one = svg::series_style(a);
      const svg::SeriesStyle other = svg::series_style(b);
      const int equal = (one.color == other.color ? 1 : 0) + (one.dash == other.dash ? 1 : 0) +
                        (one.marker == other.marker ? 1 : 0);
      EXPECT_LE(equal, 1) << a << " and " << b;
    }
  }
}

TEST(Plot, NamesAtTheEndsOfLinesDoNotOverlap) {
  std::vector<PlotSeries> series;
  for (int s = 0; s < 10; ++s) series.push_back({"n" + std::to_string(s), {{0, 1}, {1, 1}}});
  const std::string drawing = to_svg(plot_of(series));
  std::set<double> heights;
  for (int s = 0; s < 10; ++s) {
    const std::size_t end = drawing.find(">n" + std::to_string(s) + "</text>");
    const std::size_t y = drawing.rfind(" y='", end) + 4;
    heights.insert(std::stod(drawing.substr(y)));
  }
  ASSERT_EQ(heights.size(), 10U);
  for (auto height = std::next(heights.begin()); height != heights.end(); ++height) {
    EXPECT_GE(*height - *std::prev(height), 19.8);
  }
}

TEST(Plot, LongLinesHaveFewMarkers) {
  PlotSeries series{"a", {}};
  for (int i = 0; i < 1000; ++i) series.points.emplace_back(i, i);
  const int points = points_in(to_svg(plot_of({series})), 1);
  EXPECT_GE(points, 10);
  EXPECT_LE(points, 25);
}

TEST(Plot, AGridHasOneLegendAndSeriesOfOneNameLookTheSame) {
  const Plot first = plot_of({{"a", {{0, 1}}}, {"b", {{0, 2}}}});
  const Plot second = plot_of({{"b", {{0, 3}}}});
  const std::string drawing = to_svg_grid({first, second}, 2, "all");
  EXPECT_EQ(count(drawing, ">a</text>"), 1);
  EXPECT_EQ(count(drawing, ">b</text>"), 1);
  // Markers: one in the legend, and one in each chart that has the series.
  EXPECT_EQ(count(drawing, "fill='#0072b2'"), 2);
  EXPECT_EQ(count(drawing, "fill='#d55e00'"), 3);
}

TEST(Plot, TheSamePlotGivesTheSameBytes) {
  const Plot plot = plot_of({{"a", {{0, 1.0 / 3}, {1, 2.0 / 7}}}});
  EXPECT_EQ(to_svg(plot), to_svg(plot));
  EXPECT_EQ(count(to_svg(plot), "'-0"), 0);
}

}  // namespace
}  // namespace loom::report
