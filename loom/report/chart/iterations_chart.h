// Iteration times of jobs as a chart: where jobs slide apart, the lines fall.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/base/units.h"

namespace loom {

struct IterationLine {
  std::string name;
  std::vector<double> seconds;  // by iteration; what is no number is left out
};

// An SVG of milliseconds over iterations, the first being 1.
std::string iterations_svg(const std::string& title, const std::vector<IterationLine>& lines);

}  // namespace loom
