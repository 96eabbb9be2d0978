// Line chart of iteration times per job: as jobs interleave, the lines fall.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/base/units.h"

namespace loom::report {

struct IterationLine {
  std::string name;
  std::vector<double> seconds;  // by iteration; NaN is left out
};

// Milliseconds over iterations, numbered from 1, as SVG.
std::string iterations_svg(const std::string& title, const std::vector<IterationLine>& lines);

}  // namespace loom::report
