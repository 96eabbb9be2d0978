// A cluster's day from file to report: every point run, and what came out as tables and pictures.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/report/table.h"
#include "loom/scheduling/scheduling_file.h"

namespace loom {

struct SchedulingPoint {
  SchedulingScenario scenario;
  SchedulingResult result;
};

struct SchedulingRunOptions {
  int threads = 0;                       // 0: as many as the machine has
  std::function<void(double)> progress;  // part done, 0 to 1; called from one thread at a time
};

// In the order of the points, whatever the number of threads.
std::vector<SchedulingPoint> run_scheduling_points(const SchedulingFile& file,
                                                   const SchedulingRunOptions& options);

// Of all jobs of a point: the least completion time that `part` of them do not exceed.
Duration completion_percentile(const SchedulingResult& run, double fraction);
Duration mean_completion(const SchedulingResult& run);
double mean_slowdown(const SchedulingResult& run);

// A row for each point; a row for each job of each point.
Table scheduling_table(const std::vector<SchedulingPoint>& runs);
Table scheduled_jobs_table(const std::vector<SchedulingPoint>& runs);
std::string scheduling_text(const std::vector<SchedulingPoint>& runs);
nlohmann::ordered_json scheduling_json(const std::vector<SchedulingPoint>& runs);

// Distributions over all jobs: of completion times, or of iteration times over what they take
// alone.
enum class SchedulingPlot : std::uint8_t { completion, iterations };
inline constexpr std::array<std::string_view, 2> kSchedulingPlotNames = {"completion",
                                                                         "iterations"};
std::string scheduling_svg(const std::vector<SchedulingPoint>& runs, SchedulingPlot what);

}  // namespace loom
