// Output of a study over a grid: all its points as a table, and its plots.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"
#include "loom/reproduce/reproduce.h"

namespace loom::reproduce {

// One row per point: its value on every axis, its strategy and its measures.
report::Table grid_table(const GridStudy& study);

// File names and contents: points.csv (points_2.csv …), and an SVG per plot.
std::vector<std::pair<std::string, std::string>> study_files(const Study& study);

// Reads `plots` of a section of a paper. InputError if they are malformed.
std::vector<GridPlot> plots_of(const Tree& section);

}  // namespace loom::reproduce
