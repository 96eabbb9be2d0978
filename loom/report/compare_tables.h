// Results side by side: what `compare` shows.
#pragma once

#include <string>
#include <vector>

#include "loom/report/chart/bars.h"
#include "loom/report/table.h"
#include "loom/run/run.h"

namespace loom {

// A row for each result: fabric, what varies, completion time, how much slower than the best.
Table compare_table(const std::vector<Report>& results);

// The times of the same rows as bars, a group for each question.
BarChart compare_chart(const std::vector<Report>& results, const std::string& title);

}  // namespace loom
