#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "loom/report/plot.h"
#include "loom/study/day_study.h"

namespace loom {
namespace {

// Of an Ethernet packet: excess in these is about how many would be marked.
constexpr double kPacket = 1500;

std::string label_of(const DayPoint& day) {
  std::string label;
  for (const auto& it : day.scenario.axes) {
    label += fmt::format("{}{} {}", label.empty() ? "" : ", ", it.first, it.second);
  }
  return label.empty() ? "all jobs" : label;
}

// Policy and cassini first, then what else varies.
std::vector<std::string> axis_names(const std::vector<DayPoint>& days) {
  std::vector<std::string> names;
  for (const auto& it : days.front().scenario.axes) {
    if (it.first != "policy" && it.first != "cassini") names.push_back(it.first);
  }
  return names;
}

std::string_view policy_of(const DayPoint& day) {
  return kSharePolicyNames[static_cast<std::size_t>(day.scenario.options.policy)];
}

void add_axes(const DayPoint& day, std::vector<Cell>& row) {
  row.emplace_back(std::string(policy_of(day)));
  row.emplace_back(std::string(day.scenario.options.cassini ? "yes" : "no"));
  for (const auto& it : day.scenario.axes) {
    if (it.first != "policy" && it.first != "cassini") row.emplace_back(it.second);
  }
}

std::vector<Duration> sorted_completions(const DayResult& day) {
  std::vector<Duration> all;
  for (const DayJobResult& it : day.jobs) all.push_back(it.completion());
  std::sort(all.begin(), all.end());
  return all;
}

Duration mean_queued(const DayResult& day) {
  Int128 sum = 0;
  for (const DayJobResult& it : day.jobs) sum += it.queued.count();
  return Duration(static_cast<std::int64_t>(sum / static_cast<Int128>(day.jobs.size())));
}

// What an iteration took over what it takes alone: of all jobs, with how many there were.
std::vector<std::pair<double, std::int64_t>> stretched(const DayResult& day) {
  std::map<std::int64_t, std::int64_t> bins;  // in thousandths
  for (const DayJobResult& it : day.jobs) {
    const double alone =
        seconds(it.ideal) / static_cast<double>(std::max<std::int64_t>(1, it.asked_iterations));
    for (const auto& bin : it.times.bins()) {
      bins[std::llround(seconds(TimeHistogram::upper(bin.first)) / alone * 1000)] += bin.second;
    }
  }
  std::vector<std::pair<double, std::int64_t>> all;
  for (const auto& it : bins) all.emplace_back(static_cast<double>(it.first) / 1000, it.second);
  return all;
}

PlotSeries completion_line(const DayPoint& day) {
  PlotSeries line;
  line.name = label_of(day);
  const std::vector<Duration> all = sorted_completions(day.result);
  for (std::size_t i = 0; i < all.size(); ++i) {
    line.points.emplace_back(seconds(all[i]),
                             static_cast<double>(i + 1) / static_cast<double>(all.size()));
  }
  return line;
}

PlotSeries iteration_line(const DayPoint& day) {
  PlotSeries line;
  line.name = label_of(day);
  std::int64_t sum = 0;
  for (const auto& it : stretched(day.result)) {
    sum += it.second;
    line.points.emplace_back(
        it.first, static_cast<double>(sum) / static_cast<double>(day.result.times.count()));
  }
  return line;
}

// A picture needs no more points than it has pixels: of many, every so many and the last.
void thin(PlotSeries& line) {
  constexpr std::size_t kMaxPlotted = 400;
  if (line.points.size() <= kMaxPlotted) return;
  std::vector<std::pair<double, double>> kept;
  for (std::size_t i = 1; i <= kMaxPlotted; ++i)
    kept.push_back(line.points[i * line.points.size() / kMaxPlotted - 1]);
  line.points = std::move(kept);
}

}  // namespace

Duration completion_percentile(const DayResult& day, double fraction) {
  const std::vector<Duration> all = sorted_completions(day);
  if (all.empty()) return Duration(0);
  const auto rank =
      static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(all.size()) - 1e-9));
  return all[std::clamp<std::size_t>(rank, 1, all.size()) - 1];
}

Duration mean_completion(const DayResult& day) {
  Int128 sum = 0;
  for (const DayJobResult& it : day.jobs) sum += it.completion().count();
  return Duration(static_cast<std::int64_t>(sum / static_cast<Int128>(day.jobs.size())));
}

double mean_slowdown(const DayResult& day) {
  double sum = 0;
  for (const DayJobResult& it : day.jobs) sum += it.slowdown();
  return sum / static_cast<double>(day.jobs.size());
}

Table days_table(const std::vector<DayPoint>& days) {
  Table table{{"policy", "cassini"}, {}};
  for (std::string& name : axis_names(days)) table.columns.push_back(std::move(name));
  for (const char* name :
       {"mean_completion", "p50_completion", "p95_completion", "p99_completion", "mean_slowdown",
        "mean_queued", "mean_iteration", "p99_iteration", "marks_per_iteration", "congested",
        "gpus_held", "gpus_computing", "score", "length"}) {
    table.columns.emplace_back(name);
  }
  for (const DayPoint& it : days) {
    const DayResult& day = it.result;
    std::vector<Cell> row;
    add_axes(it, row);
    for (Cell cell : std::vector<Cell>{
             mean_completion(day), completion_percentile(day, 0.5),
             completion_percentile(day, 0.95), completion_percentile(day, 0.99), mean_slowdown(day),
             mean_queued(day), day.times.mean(), day.times.percentile(0.99),
             day.excess_per_iteration() / kPacket, day.congested, day.held, day.computing,
             it.scenario.options.cassini ? Cell(day.score) : Cell(), day.length}) {
      row.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table day_jobs_table(const std::vector<DayPoint>& days) {
  Table table{{"policy", "cassini"}, {}};
  for (std::string& name : axis_names(days)) table.columns.push_back(std::move(name));
  for (const char* name : {"job", "model", "gpus", "arrival", "start", "end", "queued",
                           "completion", "alone", "slowdown", "iterations", "mean_iteration",
                           "p99_iteration", "placements", "racks", "realignments"}) {
    table.columns.emplace_back(name);
  }
  for (const DayPoint& day : days) {
    for (const DayJobResult& it : day.result.jobs) {
      std::vector<Cell> row;
      add_axes(day, row);
      for (Cell cell : std::vector<Cell>{
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

std::string days_text(const std::vector<DayPoint>& days) {
  const DayResult& first = days.front().result;
  return fmt::format("{} jobs, {} iterations\n\n{}", first.jobs.size(), first.times.count(),
                     to_text(days_table(days)));
}

nlohmann::ordered_json days_json(const std::vector<DayPoint>& days) {
  nlohmann::ordered_json list = to_json(days_table(days));
  for (std::size_t d = 0; d < days.size(); ++d) {
    const DayResult& day = days[d].result;
    list[d]["excess_bytes"] = static_cast<std::int64_t>(day.excess_bytes);
    list[d]["carried_bytes"] = static_cast<std::int64_t>(day.carried_bytes);
    list[d]["decisions"] = day.decisions;
    list[d]["jobs"] = to_json(day_jobs_table({days[d]}));
  }
  return list;
}

std::string days_svg(const std::vector<DayPoint>& days, DayPlot what) {
  const bool completion = what == DayPlot::completion;
  Plot plot;
  plot.title = completion ? "completion times of jobs" : "iteration times over those alone";
  plot.x_label = completion ? "completion time (s)" : "iteration time over that alone";
  plot.y_label = completion ? "part of the jobs" : "part of the iterations";
  plot.x_logarithmic = true;
  for (const DayPoint& it : days) {
    plot.series.push_back(completion ? completion_line(it) : iteration_line(it));
    thin(plot.series.back());
  }
  return to_svg(plot);
}

}  // namespace loom
