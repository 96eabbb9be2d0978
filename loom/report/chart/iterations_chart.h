// Line chart of iteration times, one line per job or algorithm. The lines fall when jobs begin to
// interleave.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/base/units.h"

namespace loom::report {

struct IterationLine {
  std::string name;
  std::vector<double> seconds;  // iteration times; NaN is not drawn
};

// Draws milliseconds over iterations, numbered from 1, as SVG.
std::string iterations_svg(const std::string& title, const std::vector<IterationLine>& lines);

}  // namespace loom::report
