// Output files of a study over a grid: a table of all points, and plots.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"
#include "loom/reproduce/reproduce.h"

namespace loom::reproduce {

// One row per point: its value on every axis, its strategy and its measures.
report::Table grid_table(const GridStudy& study);

// Names and contents of the output files: points.csv (points_2.csv …), and one SVG file per plot.
std::vector<std::pair<std::string, std::string>> study_files(const Study& study);

// Reads `plots` of a section of a paper. Throws InputError if a plot is malformed.
std::vector<GridPlot> plots_of(const Tree& section);

}  // namespace loom::reproduce
