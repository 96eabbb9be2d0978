#include "loom/report/chart/sector.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace loom::svg {
namespace {

// A coordinate rounded to hundredths. Other charts use tenths, but coarser rounding is visible at
// the edges of thin rings.
std::string hundredths(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0 : rounded);
}

std::string point(Point at) { return hundredths(at.x) + " " + hundredths(at.y); }

}  // namespace

Point on_circle(Point center, double radius, double rotation) {
  const double angle = 2 * std::numbers::pi * rotation;
  return {center.x + radius * std::sin(angle), center.y - radius * std::cos(angle)};
}

std::string sector(const Sector& it, std::string_view color, double opacity) {
  // The path asks for the shorter of two arcs, so it can draw at most half a circle.
  if (it.to - it.from > 0.5) {
    const double middle = (it.from + it.to) / 2;
    return sector({it.center, it.inner, it.outer, it.from, middle}, color, opacity) +
           sector({it.center, it.inner, it.outer, middle, it.to}, color, opacity);
  }
  const std::string faint =
      opacity < 1 ? fmt::format(" fill-opacity='{}'", hundredths(opacity)) : "";
  return fmt::format("<path d='M{}A{} {} 0 0 1 {}L{}A{} {} 0 0 0 {}z' fill='{}'{}/>\n",
                     point(on_circle(it.center, it.outer, it.from)), hundredths(it.outer),
                     hundredths(it.outer), point(on_circle(it.center, it.outer, it.to)),
                     point(on_circle(it.center, it.inner, it.to)), hundredths(it.inner),
                     hundredths(it.inner), point(on_circle(it.center, it.inner, it.from)), color,
                     faint);
}

std::string circle(Point center, double radius, std::string_view attributes) {
  return fmt::format("<circle cx='{}' cy='{}' r='{}' {}/>\n", hundredths(center.x),
                     hundredths(center.y), hundredths(radius), attributes);
}

}  // namespace loom::svg
