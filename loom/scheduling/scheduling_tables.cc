#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "loom/base/statistics.h"
#include "loom/report/chart/plot.h"
#include "loom/scheduling/scheduling_study.h"

namespace loom::scheduling {
namespace {

// Bytes of an Ethernet packet. The excess demand in packets approximates the number of ECN marks.
constexpr double kPacket = 1500;

std::string label_of(const SchedulingPoint& run) {
  std::string label;
  for (const auto& it : run.scenario.axes) {
    label += fmt::format("{}{} {}", label.empty() ? "" : ", ", it.first, it.second);
  }
  return label.empty() ? "all jobs" : label;
}

// The names of the axes other than policy and cassini, which every table shows first.
std::vector<std::string> axis_names(const std::vector<SchedulingPoint>& runs) {
  std::vector<std::string> names;
  for (const auto& it : runs.front().scenario.axes) {
    if (it.first != "policy" && it.first != "cassini") names.push_back(it.first);
  }
  return names;
}

std::string_view policy_of(const SchedulingPoint& run) {
  return jobs::kSharePolicyNames[static_cast<std::size_t>(run.scenario.options.policy)];
}

void add_axes(const SchedulingPoint& run, std::vector<report::Cell>& row) {
  row.emplace_back(std::string(policy_of(run)));
  row.emplace_back(std::string(run.scenario.options.cassini ? "yes" : "no"));
  for (const auto& it : run.scenario.axes) {
    if (it.first != "policy" && it.first != "cassini") row.emplace_back(it.second);
  }
}

std::vector<Duration> sorted_completions(const jobs::SchedulingResult& run) {
  std::vector<Duration> all;
  for (const jobs::ScheduledJobResult& it : run.jobs) all.push_back(it.completion());
  std::sort(all.begin(), all.end());
  return all;
}

Duration mean_queued(const jobs::SchedulingResult& run) {
  Int128 sum = 0;
  for (const jobs::ScheduledJobResult& it : run.jobs) sum += it.queued.count();
  return Duration(static_cast<std::int64_t>(sum / static_cast<Int128>(run.jobs.size())));
}

// Iteration times of all jobs relative to their isolated times, each with the number of iterations
// that took as long.
std::vector<std::pair<double, std::int64_t>> stretched(const jobs::SchedulingResult& run) {
  std::map<std::int64_t, std::int64_t> bins;  // in thousandths
  for (const jobs::ScheduledJobResult& it : run.jobs) {
    const double isolated =
        seconds(it.ideal) / static_cast<double>(std::max<std::int64_t>(1, it.asked_iterations));
    for (const auto& bin : it.times.bins()) {
      bins[std::llround(seconds(jobs::TimeHistogram::upper(bin.first)) / isolated * 1000)] +=
          bin.second;
    }
  }
  std::vector<std::pair<double, std::int64_t>> all;
  for (const auto& it : bins) all.emplace_back(static_cast<double>(it.first) / 1000, it.second);
  return all;
}

report::PlotSeries completion_line(const SchedulingPoint& run) {
  report::PlotSeries line;
  line.name = label_of(run);
  const std::vector<Duration> all = sorted_completions(run.result);
  for (std::size_t i = 0; i < all.size(); ++i) {
    line.points.emplace_back(seconds(all[i]),
                             static_cast<double>(i + 1) / static_cast<double>(all.size()));
  }
  return line;
}

report::PlotSeries iteration_line(const SchedulingPoint& run) {
  report::PlotSeries line;
  line.name = label_of(run);
  std::int64_t sum = 0;
  for (const auto& it : stretched(run.result)) {
    sum += it.second;
    line.points.emplace_back(
        it.first, static_cast<double>(sum) / static_cast<double>(run.result.times.count()));
  }
  return line;
}

// Reduces a line to about the resolution of the plot: keeps every n-th point and the last.
void thin(report::PlotSeries& line) {
  constexpr std::size_t kMaxPlotted = 400;
  if (line.points.size() <= kMaxPlotted) return;
  std::vector<std::pair<double, double>> kept;
  for (std::size_t i = 1; i <= kMaxPlotted; ++i)
    kept.push_back(line.points[i * line.points.size() / kMaxPlotted - 1]);
  line.points = std::move(kept);
}

}  // namespace

Duration completion_percentile(const jobs::SchedulingResult& run, double fraction) {
  return percentile(sorted_completions(run), fraction);
}

Duration mean_completion(const jobs::SchedulingResult& run) {
  Int128 sum = 0;
  for (const jobs::ScheduledJobResult& it : run.jobs) sum += it.completion().count();
  return Duration(static_cast<std::int64_t>(sum / static_cast<Int128>(run.jobs.size())));
}

double mean_slowdown(const jobs::SchedulingResult& run) {
  double sum = 0;
  for (const jobs::ScheduledJobResult& it : run.jobs) sum += it.slowdown();
  return sum / static_cast<double>(run.jobs.size());
}

report::Table scheduling_table(const std::vector<SchedulingPoint>& runs) {
  report::Table table{{"policy", "cassini"}, {}};
  for (std::string& name : axis_names(runs)) table.columns.push_back(std::move(name));
  for (const char* name :
       {"mean_completion", "p50_completion", "p95_completion", "p99_completion", "mean_slowdown",
        "mean_queued", "mean_iteration", "p99_iteration", "marks_per_iteration", "congested",
        "gpus_held", "gpus_computing", "score", "length"}) {
    table.columns.emplace_back(name);
  }
  for (const SchedulingPoint& it : runs) {
    const jobs::SchedulingResult& run = it.result;
    std::vector<report::Cell> row;
    add_axes(it, row);
    for (report::Cell cell : std::vector<report::Cell>{
             mean_completion(run), completion_percentile(run, 0.5),
             completion_percentile(run, 0.95), completion_percentile(run, 0.99), mean_slowdown(run),
             mean_queued(run), run.times.mean(), run.times.percentile(0.99),
             run.excess_per_iteration() / kPacket, run.congested, run.held, run.computing,
             it.scenario.options.cassini ? report::Cell(run.score) : report::Cell(), run.length}) {
      row.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

report::Table scheduled_jobs_table(const std::vector<SchedulingPoint>& runs) {
  report::Table table{{"policy", "cassini"}, {}};
  for (std::string& name : axis_names(runs)) table.columns.push_back(std::move(name));
  for (const char* name : {"job", "model", "gpus", "arrival", "start", "end", "queued",
                           "completion", "isolated", "slowdown", "iterations", "mean_iteration",
                           "p99_iteration", "placements", "racks", "realignments"}) {
    table.columns.emplace_back(name);
  }
  for (const SchedulingPoint& run : runs) {
    for (const jobs::ScheduledJobResult& it : run.result.jobs) {
      std::vector<report::Cell> row;
      add_axes(run, row);
      for (report::Cell cell : std::vector<report::Cell>{
               it.name, it.kind, std::int64_t{it.devices}, it.arrival, it.start, it.end, it.queued,
               it.completion(), it.ideal, it.slowdown(), it.iterations, it.times.mean(),
               it.times.percentile(0.99), std::int64_t{it.placements}, it.racks, it.realignments}) {
        row.push_back(std::move(cell));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string scheduling_text(const std::vector<SchedulingPoint>& runs) {
  const jobs::SchedulingResult& first = runs.front().result;
  return fmt::format("{} jobs, {} iterations\n\n{}", first.jobs.size(), first.times.count(),
                     to_text(scheduling_table(runs)));
}

nlohmann::ordered_json scheduling_json(const std::vector<SchedulingPoint>& runs) {
  nlohmann::ordered_json list = to_json(scheduling_table(runs));
  for (std::size_t d = 0; d < runs.size(); ++d) {
    const jobs::SchedulingResult& run = runs[d].result;
    list[d]["excess_bytes"] = static_cast<std::int64_t>(run.excess_bytes);
    list[d]["carried_bytes"] = static_cast<std::int64_t>(run.carried_bytes);
    list[d]["decisions"] = run.decisions;
    list[d]["jobs"] = to_json(scheduled_jobs_table({runs[d]}));
  }
  return list;
}

std::string scheduling_svg(const std::vector<SchedulingPoint>& runs, SchedulingPlot what) {
  const bool completion = what == SchedulingPlot::completion;
  report::Plot plot;
  plot.title =
      completion ? "completion times of jobs" : "iteration times relative to isolated jobs";
  plot.x_label = completion ? "completion time (s)" : "iteration time relative to isolation";
  plot.y_label = completion ? "fraction of jobs" : "fraction of iterations";
  plot.x_logarithmic = true;
  for (const SchedulingPoint& it : runs) {
    plot.series.push_back(completion ? completion_line(it) : iteration_line(it));
    thin(plot.series.back());
  }
  return to_svg(plot);
}

}  // namespace loom::scheduling
