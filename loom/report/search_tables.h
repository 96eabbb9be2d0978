// Result and convergence of a search over operator configurations: tables, chart and files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"
#include "loom/run/training_report.h"

namespace loom::report {

void add_search_facts(const plan::SearchReport& report,
                      std::vector<std::pair<std::string, Cell>>& facts);

// Tables with one row per round, one row per operator, and one row per improvement.
Table rounds_table(const plan::SearchReport& report);
Table configurations_table(const plan::SearchReport& report);
Table convergence_table(const plan::SearchReport& report);

// The best time over the number of proposals, one line per round.
std::string convergence_svg(const plan::SearchReport& report, const std::string& model);

// Names and contents of the output files: configurations.csv, convergence.csv and convergence.svg
// for an MCMC search; ranking.csv for other searches.
std::vector<std::pair<std::string, std::string>> search_files(const run::TrainingReport& job);

}  // namespace loom::report
