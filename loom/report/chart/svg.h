// Elements of a chart as SVG text: text, lines, markers and the styles of series.
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

// Color, dash and marker of a series. Of the first ten styles, no two share more than one of the
// three.
struct SeriesStyle {
  std::string_view color;
  std::string_view dash;  // "" for a solid line
  int marker = 0;
};

SeriesStyle series_style(std::size_t index);

// Escapes a string for text and attributes. Characters that XML does not allow become a blank.
std::string escaped(std::string_view text);

// The approximate width of a text; fonts differ.
double text_width(std::string_view text, double size);

// Returns the text, truncated with "…" if it does not fit the width.
std::string fitted(std::string_view text, double size, double width);

std::string text(Point at, std::string_view words, const Letters& letters);
std::string rule(Point from, Point to, std::string_view color);

// Draws the line of a series. Runs are separate pieces with gaps between them.
std::string series_line(const std::vector<std::vector<Point>>& runs, const SeriesStyle& style);
std::string marker(Point at, const SeriesStyle& style);

// A legend entry: a sample of the line and its name, truncated to the width.
inline constexpr double kKeyWidth = 34;
std::string key(Point at, std::string_view name, const SeriesStyle& style, double size,
                double width);

// Returns the complete SVG document, on a white background.
std::string document(double width, double height, std::string_view title, std::string_view inside);

}  // namespace loom::svg
