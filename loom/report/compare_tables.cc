#include "loom/report/compare_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "loom/report/bound_tables.h"
#include "loom/report/collective_cells.h"
#include "loom/report/colocated_tables.h"
#include "loom/report/job_tables.h"
#include "loom/report/tables.h"
#include "loom/scenario/job_parameters.h"

namespace loom::report {
namespace {

constexpr std::string_view kRouting = "fabric.routing";

// All axes of all reports, in order of appearance; at the end the routing, if it was chosen.
std::vector<std::string> axis_names(const std::vector<run::Report>& reports) {
  std::vector<std::string> names;
  for (const run::Report& report : reports) {
    for (const auto& [path, value] : report.scenario.axes) {
      if (std::find(names.begin(), names.end(), path) == names.end()) names.push_back(path);
    }
  }
  const bool chosen = std::any_of(reports.begin(), reports.end(),
                                  [](const run::Report& it) { return !it.routings.empty(); });
  const bool axis = std::find(names.begin(), names.end(), kRouting) != names.end();
  if (chosen && !axis) names.emplace_back(kRouting);
  return names;
}

// The model that a path such as "workload.batch" or "jobs.2.batch" belongs to; nullptr if there is
// none.
const model::ModelSpec* model_at(const scenario::TrainingWork& work, const std::string& path) {
  return path.starts_with("workload.") && work.model ? &*work.model : nullptr;
}

const model::ModelSpec* model_at(const scenario::ColocatedWork& work, const std::string& path) {
  if (!path.starts_with("jobs.")) return nullptr;
  return &work.jobs.at(std::stoul(path.substr(5))).model;
}

// Other kinds of work have no model.
template <typename Kind>
const model::ModelSpec* model_at(const Kind&, const std::string&) {
  return nullptr;
}

const model::ModelSpec* model_at(const scenario::Scenario& scenario, const std::string& path) {
  return std::visit([&](const auto& work) { return model_at(work, path); }, scenario.work);
}

// The parameter at that path of a scenario; nullptr if there is none.
const Parameter* parameter_at(const scenario::Scenario& scenario, const std::string& path) {
  const std::string name = path.substr(path.rfind('.') + 1);
  if (const model::ModelSpec* model = model_at(scenario, path)) {
    for (const auto& known : {scenario::job_parameters(), scenario::job_entry_parameters()}) {
      if (const Parameter* found = find_parameter(known, name)) return found;
    }
    return find_parameter(model->family->parameters, name);
  }
  if (path.starts_with("workload.")) return find_parameter(scenario::workload_parameters(), name);
  if (path.starts_with("fabric.")) return find_parameter(scenario.fabric.kind->parameters, name);
  const Parameter* of_all = find_parameter(scenario::scenario_parameters(), name);
  return of_all != nullptr ? of_all : find_parameter(scenario::cluster_parameters(), name);
}

// The point's value at that path, also if the path is no axis; "" if there is none.
std::string axis_text(const run::Report& report, const std::string& path) {
  if (path == kRouting && !report.routings.empty()) {
    return fmt::format("{} (auto)", report.routings.front().routing);
  }
  const Tree* tree = &report.scenario.tree;
  for (std::size_t begin = 0; begin != std::string::npos && tree != nullptr;) {
    const std::size_t dot = path.find('.', begin);
    const std::string key = path.substr(begin, dot - begin);
    tree = tree->kind == Tree::Kind::list ? &tree->items.at(std::stoul(key)) : tree->find(key);
    begin = dot == std::string::npos ? dot : dot + 1;
  }
  return tree == nullptr ? "" : tree->text;
}

Cell axis_value(const run::Report& report, const std::string& path) {
  const std::string text = axis_text(report, path);
  return text.empty() ? Cell() : typed_cell(parameter_at(report.scenario, path), text);
}

// Axes that change the task itself; all other axes only change how it is performed. For a path into
// `jobs`, the same path in `workload` counts.
constexpr std::array<std::string_view, 13> kAsked = {
    "gpus",           "workload.collective", "workload.size",     "workload.sizes",
    "workload.ranks", "workload.flows",      "workload.file",     "workload.model",
    "workload.batch", "workload.sequence",   "workload.flexflow", "workload.gpus",
    "workload.count"};

// Whether the value at the path is a parameter of the model: a model with other layers is another
// task.
bool shapes_the_model(const scenario::Scenario& scenario, const std::string& path) {
  const model::ModelSpec* model = model_at(scenario, path);
  const std::string name = path.substr(path.rfind('.') + 1);
  return model != nullptr && find_parameter(model->family->parameters, name) != nullptr;
}

bool asked(const scenario::Scenario& scenario, const std::string& path) {
  const bool of_job = path.starts_with("jobs.");
  const std::string known = of_job ? "workload" + path.substr(path.rfind('.')) : path;
  return std::find(kAsked.begin(), kAsked.end(), known) != kAsked.end() ||
         shapes_the_model(scenario, path);
}

// A text that identifies the task of a report. `versus best` compares only reports of the same
// task.
std::string question(const run::Report& report, const std::vector<std::string>& axes) {
  std::string text;
  for (const std::string& axis : axes) {
    if (asked(report.scenario, axis)) text += axis_text(report, axis) + '\n';
  }
  return text;
}

std::map<std::string, Duration> best_times(const std::vector<run::Report>& reports,
                                           const std::vector<std::string>& axes) {
  std::map<std::string, Duration> best;
  for (const run::Report& report : reports) {
    if (!report.ended()) continue;
    const auto [at, first] = best.emplace(question(report, axes), report.time());
    if (!first) at->second = std::min(at->second, report.time());
  }
  return best;
}

// The algorithm in a row of a comparison. If the algorithm is an axis, rows with `auto` are marked.
Cell algorithm_cell(const run::CollectiveReport& work, bool axis) {
  return algorithm_text(work.collective) + (axis && !work.considered.empty() ? " (auto)" : "");
}

void add_collective_cells(const run::Report& report, bool axis, std::vector<Cell>& row) {
  const auto* work = report.as<run::CollectiveReport>();
  if (work == nullptr) {
    row.resize(row.size() + 3);
    return;
  }
  const Duration time = report.outcome.completion_time;
  row.push_back(algorithm_cell(*work, axis));
  row.push_back(algorithm_bandwidth_cell(*work, time));
  row.push_back(bus_bandwidth_cell(*work, time));
}

template <typename Kind>
bool any(const std::vector<run::Report>& reports) {
  return std::any_of(reports.begin(), reports.end(),
                     [](const run::Report& it) { return it.as<Kind>() != nullptr; });
}

// The value of an axis for display. Computed bandwidths are rounded, because they have too many
// digits to read.
std::string axis_label(const run::Report& report, const std::string& path) {
  const Cell value = axis_value(report, path);
  const auto* rate = std::get_if<Bandwidth>(&value);
  return rate != nullptr ? readable(*rate) : axis_text(report, path);
}

}  // namespace

Table compare_table(const std::vector<run::Report>& reports) {
  std::vector<std::string> axes = axis_names(reports);
  const bool collective = any<run::CollectiveReport>(reports);
  // The algorithm has a column of its own.
  const bool algorithms = collective && std::erase(axes, "workload.algorithm") > 0;
  // The engine that ran, which `auto` chooses, has one too.
  const bool engines = std::erase(axes, "engine") > 0;
  Table table{{"fabric"}, {}};
  for (const std::string& axis : axes) table.columns.push_back(heading(axis, axes));
  if (collective) {
    table.columns.insert(table.columns.end(),
                         {"algorithm", "algorithm_bandwidth", "bus_bandwidth"});
  }
  const bool job = any<run::TrainingReport>(reports);
  const JobColumns of_job = job_columns(reports);
  const bool engine =
      engines || std::any_of(reports.begin(), reports.end(), [](const run::Report& it) {
        return it.engine != scenario::Engine::fluid;
      });
  if (engine) table.columns.emplace_back("engine");
  if (job) add_job_columns(of_job, table);
  const bool jobs = any<run::ColocatedReport>(reports);
  if (jobs) add_jobs_columns(table);
  const bool cost = std::any_of(reports.begin(), reports.end(),
                                [](const run::Report& it) { return it.cost.has_value(); });
  if (cost) table.columns.insert(table.columns.end(), {"cost", "power"});
  const bool bound = std::any_of(reports.begin(), reports.end(), [](const run::Report& it) {
    return bound_of_plan(it).has_value();
  });
  const bool replays = any<run::ReplayReport>(reports);
  table.columns.insert(table.columns.end(), {jobs             ? "mean_iteration_time"
                                             : job || replays ? "iteration_time"
                                                              : "completion_time"});
  if (bound) table.columns.emplace_back(jobs ? "gap_of_run" : "gap");
  table.columns.emplace_back("versus_best");
  const std::map<std::string, Duration> best = best_times(reports, axes);
  for (const run::Report& report : reports) {
    const Duration time = report.time();
    std::vector<Cell> row = {report.fabric()};
    for (const std::string& axis : axes) row.push_back(axis_value(report, axis));
    if (collective) add_collective_cells(report, algorithms, row);
    if (engine) {
      const bool fluid = report.engine == scenario::Engine::fluid;
      row.emplace_back(std::string(fluid ? "fluid" : "coarse, estimated"));
    }
    if (job) add_job_cells(of_job, report, row);
    if (jobs) add_jobs_cells(report, row);
    if (cost) row.insert(row.end(), {report.cost->price, report.cost->power});
    row.push_back(report.ended() ? Cell(time) : Cell());
    if (bound) {
      const auto of_plan = bound_of_plan(report);
      row.push_back(of_plan ? Cell(of_plan->gap) : Cell());
    }
    row.push_back(report.outcome.deadlock ? Cell("deadlock")
                  : report.infeasible     ? Cell("infeasible")
                                          : versus(time, best.at(question(report, axes))));
    table.rows.push_back(std::move(row));
  }
  return table;
}

BarChart compare_chart(const std::vector<run::Report>& reports, const std::string& title) {
  const std::vector<std::string> axes = axis_names(reports);
  BarChart chart{.title = title, .axis = "milliseconds", .groups = {}};
  std::map<std::string, std::size_t> place;  // index of the group per task
  for (const run::Report& report : reports) {
    const auto at = place.emplace(question(report, axes), chart.groups.size());
    if (at.second) chart.groups.emplace_back();
    BarGroup& group = chart.groups[at.first->second];
    Bar bar{.name = report.fabric(), .value = 0, .label = "infeasible"};
    for (const std::string& axis : axes) {
      const std::string text = axis_label(report, axis);
      const bool of_question = asked(report.scenario, axis);
      if (!of_question && !text.empty()) bar.name += ", " + text;
      if (of_question && at.second) group.title += (group.title.empty() ? "" : ", ") + text;
    }
    if (report.outcome.deadlock) {
      bar.label = "deadlock";
    } else if (!report.infeasible) {
      bar.value = static_cast<double>(report.time().count()) / 1e9;
      bar.label = readable(report.time());
    }
    group.bars.push_back(std::move(bar));
  }
  return chart;
}

}  // namespace loom::report
