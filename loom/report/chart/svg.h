// The pieces of a chart as SVG text: letters, lines, and what tells series apart.
//
// Coordinates are rounded to a tenth of a pixel, so that the same chart is the same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loom::svg {

struct Point {
  double x = 0;
  double y = 0;
};

inline constexpr std::string_view kInk = "#222";
inline constexpr std::string_view kPale = "#555";
inline constexpr std::string_view kGrid = "#e4e4e4";

struct Letters {
  double size = 12;
  std::string_view color = kInk;
  std::string_view anchor = "start";  // or middle, end
  bool bold = false;
};

// A color, a dash and a marker; no two of the first ten are alike in more than one of them.
struct SeriesStyle {
  std::string_view color;
  std::string_view dash;  // "" for a whole line
  int marker = 0;
};

SeriesStyle series_style(std::size_t index);

// For text and attributes. What XML cannot hold becomes a blank.
std::string escaped(std::string_view text);

// About how wide it will be: fonts differ.
double text_width(std::string_view text, double size);

// The text, or as much of it as fits, with "…".
std::string fitted(std::string_view text, double size, double width);

std::string text(Point at, std::string_view words, const Letters& letters);
std::string rule(Point from, Point to, std::string_view color);

// Each run is a line of its own.
std::string series_line(const std::vector<std::vector<Point>>& runs, const SeriesStyle& style);
std::string marker(Point at, const SeriesStyle& style);

// A short piece of a series and its name after it, cut to fit the width.
inline constexpr double kKeyWidth = 34;
std::string key(Point at, std::string_view name, const SeriesStyle& style, double size,
                double width);

// The whole picture, on white.
std::string document(double width, double height, std::string_view title, std::string_view inside);

}  // namespace loom::svg
