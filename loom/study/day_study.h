// A cluster's day from file to report: every point run, and what came out as tables and pictures.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/report/table.h"
#include "loom/study/day_file.h"

namespace loom {

struct DayPoint {
  DayScenario scenario;
  DayResult result;
};

struct DayRunOptions {
  int threads = 0;                       // 0: as many as the machine has
  std::function<void(double)> progress;  // part done, 0 to 1; called from one thread at a time
};

// In the order of the points, whatever the number of threads.
std::vector<DayPoint> run_days(const DayFile& file, const DayRunOptions& options);

// Of all jobs of a point: the least completion time that `part` of them do not exceed.
Duration completion_percentile(const DayResult& day, double fraction);
Duration mean_completion(const DayResult& day);
double mean_slowdown(const DayResult& day);

// A row for each point; a row for each job of each point.
Table days_table(const std::vector<DayPoint>& days);
Table day_jobs_table(const std::vector<DayPoint>& days);
std::string days_text(const std::vector<DayPoint>& days);
nlohmann::ordered_json days_json(const std::vector<DayPoint>& days);

// Distributions over all jobs: of completion times, or of iteration times over what they take
// alone.
enum class DayPlot : std::uint8_t { completion, iterations };
inline constexpr std::array<std::string_view, 2> kDayPlotNames = {"completion", "iterations"};
std::string days_svg(const std::vector<DayPoint>& days, DayPlot what);

}  // namespace loom
