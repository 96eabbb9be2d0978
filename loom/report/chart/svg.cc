#include "loom/report/chart/svg.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "loom/base/text.h"

namespace loom::svg {
namespace {

// Okabe and Ito's palette for all kinds of color vision, without its yellow, which is too light
// for lines on white.
constexpr std::array<std::string_view, 7> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#000000"};
constexpr std::array<std::string_view, 5> kDashes = {"", "7 3", "2 3", "10 3 2 3", "4 2"};

// Outlines of the markers around the origin. The first five are filled, the others hollow.
constexpr std::array<std::string_view, 10> kMarkers = {
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "M-3.2 -3.2h6.4v6.4h-6.4z",
    "M0 -4.2L4.2 3.2H-4.2z",
    "M0 -4.6L4.6 0L0 4.6L-4.6 0z",
    "M0 4.2L4.2 -3.2H-4.2z",
    "M-3.3 -3.3L3.3 3.3M-3.3 3.3L3.3 -3.3",
    "M-4.2 0H4.2M0 -4.2V4.2",
    "M-3.2 -3.2h6.4v6.4h-6.4z",
    "M0 -4.6L4.6 0L0 4.6L-4.6 0z",
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z"};
constexpr int kFullMarkers = 5;

std::string number(double value) {
  const double tenths = std::round(value * 10) / 10;
  return fmt::format("{}", tenths == 0 ? 0 : tenths);  // never "-0"
}

std::string place(Point at) { return number(at.x) + " " + number(at.y); }

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// The approximate width of a character as a fraction of the font size, for common sans-serif fonts.
double character_width(char c) {
  if (static_cast<unsigned char>(c) >= 0xe0) return 1;  // most are as wide as high
  if (std::string_view(" .,:;!|'ijlIft()[]/").find(c) != std::string_view::npos) return 0.36;
  if (std::string_view("mwMW%@").find(c) != std::string_view::npos) return 0.92;
  return c >= 'A' && c <= 'Z' ? 0.71 : 0.62;
}

}  // namespace

SeriesStyle series_style(std::size_t index) {
  return {kColors[index % kColors.size()], kDashes[index % kDashes.size()],
          static_cast<int>(index % kMarkers.size())};
}

std::string escaped(std::string_view text) {
  std::string out;
  std::size_t bad = first_not_utf8(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == bad) {
      bad += 1 + first_not_utf8(text.substr(i + 1));
      out += ' ';
    } else if (static_cast<unsigned char>(text[i]) < 0x20) {
      out += ' ';
    } else if (text[i] == '&') {
      out += "&amp;";
    } else if (text[i] == '<') {
      out += "&lt;";
    } else if (text[i] == '>') {
      out += "&gt;";
    } else if (text[i] == '"') {
      out += "&quot;";
    } else if (text[i] == '\'') {
      out += "&apos;";
    } else {
      out += text[i];
    }
  }
  return out;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const char c : text) width += begins_character(c) ? character_width(c) : 0;
  return width * size;
}

std::string fitted(std::string_view text, double size, double width) {
  if (text_width(text, size) <= width + 0.1) return std::string(text);
  while (!text.empty() && text_width(text, size) + size > width) {
    while (!begins_character(text.back()) && text.size() > 1) text.remove_suffix(1);
    text.remove_suffix(1);
  }
  while (text.ends_with(' ')) text.remove_suffix(1);
  return std::string(text) + "…";
}

std::string text(Point at, std::string_view words, const Letters& letters) {
  return fmt::format(
      "<text x='{}' y='{}' font-size='{}' fill='{}'{}{}>{}</text>\n", number(at.x), number(at.y),
      number(letters.size), letters.color,
      letters.anchor == "start" ? "" : fmt::format(" text-anchor='{}'", letters.anchor),
      letters.bold ? " font-weight='600'" : "", escaped(words));
}

std::string rule(Point from, Point to, std::string_view color) {
  return fmt::format("<path d='M{}L{}' stroke='{}'/>\n", place(from), place(to), color);
}

std::string series_line(const std::vector<std::vector<Point>>& runs, const SeriesStyle& style) {
  std::string path;
  for (const std::vector<Point>& run : runs) {
    for (std::size_t i = 0; i < run.size(); ++i) path += (i == 0 ? "M" : "L") + place(run[i]);
  }
  if (path.empty()) return "";
  const std::string dash =
      style.dash.empty() ? "" : fmt::format(" stroke-dasharray='{}'", style.dash);
  return fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='2'{}/>\n", path,
                     style.color, dash);
}

std::string marker(Point at, const SeriesStyle& style) {
  const bool full = style.marker < kFullMarkers;
  return fmt::format(
      "<path transform='translate({})' d='{}' fill='{}' stroke='{}' stroke-width='{}'/>\n",
      place(at), kMarkers[static_cast<std::size_t>(style.marker)], full ? style.color : "#fff",
      full ? "#fff" : style.color, full ? "1" : "1.8");
}

std::string key(Point at, std::string_view name, const SeriesStyle& style, double size,
                double width) {
  const std::string shown = fitted(name, size, width - kKeyWidth);
  const double middle = at.y - size * 0.35;
  std::string out = "<g>";
  if (shown != name) out += fmt::format("<title>{}</title>", escaped(name));
  out += series_line({{{at.x, middle}, {at.x + 28, middle}}}, style);
  out += marker({at.x + 14, middle}, style);
  return out + text({at.x + kKeyWidth, at.y}, shown, {.size = size}) + "</g>\n";
}

std::string document(double width, double height, std::string_view title, std::string_view inside) {
  const std::string w = number(width);
  const std::string h = number(height);
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}'"
      " role='img' font-family='system-ui, Helvetica, Arial, sans-serif'"
      " stroke-linejoin='round'>\n<title>{2}</title>\n"
      "<rect width='{0}' height='{1}' fill='#fff'/>\n{3}</svg>\n",
      w, h, escaped(title), inside);
}

}  // namespace loom::svg
