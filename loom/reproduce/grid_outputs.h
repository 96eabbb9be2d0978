// What a study over a grid leaves behind: all its points as a table, and its pictures.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"
#include "loom/reproduce/reproduce.h"

namespace loom {

// A row for each point: its place on every axis, its strategy, and what came out.
Table grid_table(const GridStudy& study);

// File names and what goes into them: points.csv (points_2.csv …), and an SVG for each plot.
std::vector<std::pair<std::string, std::string>> study_files(const Study& study);

// `plots` of a part of a paper. InputError where they are written wrongly.
std::vector<GridPlot> plots_of(const Tree& section);

}  // namespace loom
