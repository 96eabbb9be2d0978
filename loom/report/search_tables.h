// What a search over the ways of operators found, and how it went: tables, a picture, files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"
#include "loom/run/training_report.h"

namespace loom {

void add_search_facts(const SearchReport& report, std::vector<std::pair<std::string, Cell>>& facts);

// A row for each round, each operator, each improvement.
Table rounds_table(const SearchReport& report);
Table configurations_table(const SearchReport& report);
Table convergence_table(const SearchReport& report);

// The best time over proposals, a line for each round.
std::string convergence_svg(const SearchReport& report, const std::string& model);

// File names and what goes into them: configurations.csv, convergence.csv and convergence.svg where
// operators were searched one by one, else ranking.csv.
std::vector<std::pair<std::string, std::string>> search_files(const TrainingReport& job);

}  // namespace loom
