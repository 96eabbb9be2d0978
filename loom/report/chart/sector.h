// Sectors of rings as SVG paths.
#pragma once

#include <string>
#include <string_view>

#include "loom/report/chart/svg.h"

namespace loom::svg {

// The area between two radii and two fractions of the circle: 0 is the top, 0.25 the right.
struct Sector {
  Point center;
  double inner = 0;
  double outer = 0;
  double from = 0;
  double to = 0;
};

Point on_circle(Point center, double radius, double rotation);
std::string sector(const Sector& it, std::string_view color, double opacity = 1);
std::string circle(Point center, double radius, std::string_view attributes);

}  // namespace loom::svg
