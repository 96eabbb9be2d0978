// Scheduling study: simulates every point of a scheduling file and reports tables and plots.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/report/table.h"
#include "loom/scheduling/scheduling_file.h"

namespace loom::scheduling {

struct SchedulingPoint {
  SchedulingScenario scenario;
  jobs::SchedulingResult result;
};

struct SchedulingRunOptions {
  int threads = 0;                       // 0: one per hardware thread
  std::function<void(double)> progress;  // fraction done, 0 to 1; called from one thread at a time
};

// Results in the order of the points; they do not depend on the number of threads.
std::vector<SchedulingPoint> run_scheduling_points(const SchedulingFile& file,
                                                   const SchedulingRunOptions& options);

// The percentile of completion times: the smallest time that at least this fraction of the jobs
// does not exceed.
Duration completion_percentile(const jobs::SchedulingResult& run, double fraction);
Duration mean_completion(const jobs::SchedulingResult& run);
double mean_slowdown(const jobs::SchedulingResult& run);

// One row per point; one row per job of each point.
report::Table scheduling_table(const std::vector<SchedulingPoint>& runs);
report::Table scheduled_jobs_table(const std::vector<SchedulingPoint>& runs);
std::string scheduling_text(const std::vector<SchedulingPoint>& runs);
nlohmann::ordered_json scheduling_json(const std::vector<SchedulingPoint>& runs);

// Quantity whose cumulative distribution over all jobs is plotted: completion time, or iteration
// time relative to the isolated time.
enum class SchedulingPlot : std::uint8_t { completion, iterations };
inline constexpr std::array<std::string_view, 2> kSchedulingPlotNames = {"completion",
                                                                         "iterations"};
std::string scheduling_svg(const std::vector<SchedulingPoint>& runs, SchedulingPlot what);

}  // namespace loom::scheduling
