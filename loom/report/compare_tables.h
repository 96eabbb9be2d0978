// Comparison of several reports, as `compare` shows it.
#pragma once

#include <string>
#include <vector>

#include "loom/report/chart/bars.h"
#include "loom/report/table.h"
#include "loom/run/run.h"

namespace loom::report {

// One row per report: fabric, axis values, completion time, and time relative to the best.
Table compare_table(const std::vector<run::Report>& reports);

// A bar chart with the times of the same rows, one group of bars per task.
BarChart compare_chart(const std::vector<run::Report>& reports, const std::string& title);

}  // namespace loom::report
