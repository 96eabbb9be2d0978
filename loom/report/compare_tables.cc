#include "loom/report/compare_tables.h"

#include <algorithm>
#include <array>
#include <map>

#include "loom/report/collective_cells.h"
#include "loom/report/colocated_tables.h"
#include "loom/report/job_tables.h"
#include "loom/report/tables.h"
#include "loom/scenario/job_settings.h"

namespace loom {
namespace {

// Every axis of any result, in the order of appearance.
std::vector<std::string> axis_names(const std::vector<Report>& results) {
  std::vector<std::string> names;
  for (const Report& result : results) {
    for (const auto& [path, value] : result.scenario.axes) {
      if (std::find(names.begin(), names.end(), path) == names.end()) names.push_back(path);
    }
  }
  return names;
}

// The model that a path leads into: "workload.batch", "jobs.2.batch"; nullptr if into none.
const ModelSpec* model_at(const Scenario& scenario, const std::string& path) {
  const auto* training = scenario.as<TrainingWork>();
  if (path.starts_with("workload.")) {
    return training != nullptr && training->model ? &*training->model : nullptr;
  }
  if (!path.starts_with("jobs.")) return nullptr;
  return &scenario.as<ColocatedWork>()->jobs.at(std::stoul(path.substr(5))).model;
}

// What describes the key at that path of a scenario; nullptr if nothing does.
const Parameter* parameter_at(const Scenario& scenario, const std::string& path) {
  const std::string name = path.substr(path.rfind('.') + 1);
  if (const ModelSpec* model = model_at(scenario, path)) {
    for (const auto& known : {job_parameters(), job_entry_parameters()}) {
      if (const Parameter* found = find_parameter(known, name)) return found;
    }
    return find_parameter(model->family->parameters, name);
  }
  if (path.starts_with("workload.")) return find_parameter(workload_parameters(), name);
  if (path.starts_with("fabric.")) return find_parameter(scenario.fabric.kind->parameters, name);
  const Parameter* of_all = find_parameter(scenario_parameters(), name);
  return of_all != nullptr ? of_all : find_parameter(cluster_parameters(), name);
}

// What the point has at that path, whether it varies there or not; "" if nothing.
std::string axis_text(const Report& result, const std::string& path) {
  const Tree* tree = &result.scenario.tree;
  for (std::size_t begin = 0; begin != std::string::npos && tree != nullptr;) {
    const std::size_t dot = path.find('.', begin);
    const std::string key = path.substr(begin, dot - begin);
    tree = tree->kind == Tree::Kind::list ? &tree->items.at(std::stoul(key)) : tree->find(key);
    begin = dot == std::string::npos ? dot : dot + 1;
  }
  return tree == nullptr ? "" : tree->text;
}

Cell axis_value(const Report& result, const std::string& path) {
  const std::string text = axis_text(result, path);
  return text.empty() ? Cell() : typed_cell(parameter_at(result.scenario, path), text);
}

// What is to be done and for how many; all else is a way of doing it. Of a path into jobs, what it
// would be in a workload.
constexpr std::array<std::string_view, 13> kAsked = {
    "gpus",           "workload.collective", "workload.size",     "workload.sizes",
    "workload.ranks", "workload.flows",      "workload.file",     "workload.model",
    "workload.batch", "workload.sequence",   "workload.flexflow", "workload.gpus",
    "workload.count"};

// A model with other layers is another question.
bool shapes_the_model(const Scenario& scenario, const std::string& path) {
  const ModelSpec* model = model_at(scenario, path);
  const std::string name = path.substr(path.rfind('.') + 1);
  return model != nullptr && find_parameter(model->family->parameters, name) != nullptr;
}

bool asked(const Scenario& scenario, const std::string& path) {
  const bool of_job = path.starts_with("jobs.");
  const std::string known = of_job ? "workload" + path.substr(path.rfind('.')) : path;
  return std::find(kAsked.begin(), kAsked.end(), known) != kAsked.end() ||
         shapes_the_model(scenario, path);
}

// Only answers to the same question are compared.
std::string question(const Report& result, const std::vector<std::string>& axes) {
  std::string text;
  for (const std::string& axis : axes) {
    if (asked(result.scenario, axis)) text += axis_text(result, axis) + '\n';
  }
  return text;
}

std::map<std::string, Duration> best_times(const std::vector<Report>& results,
                                           const std::vector<std::string>& axes) {
  std::map<std::string, Duration> best;
  for (const Report& result : results) {
    if (!result.ended()) continue;
    const auto [at, first] = best.emplace(question(result, axes), result.time());
    if (!first) at->second = std::min(at->second, result.time());
  }
  return best;
}

// The algorithm in a row of a comparison. Where it is an axis, rows of `auto` are told from others.
Cell algorithm_cell(const CollectiveReport& work, bool axis) {
  return algorithm_text(work.collective) + (axis && !work.considered.empty() ? " (auto)" : "");
}

void add_collective_cells(const Report& result, bool axis, std::vector<Cell>& row) {
  const auto* work = result.as<CollectiveReport>();
  if (work == nullptr) {
    row.resize(row.size() + 3);
    return;
  }
  const Duration time = result.outcome.completion_time;
  row.push_back(algorithm_cell(*work, axis));
  row.push_back(algorithm_bandwidth_cell(*work, time));
  row.push_back(bus_bandwidth_cell(*work, time));
}

template <typename Kind>
bool any(const std::vector<Report>& results) {
  return std::any_of(results.begin(), results.end(),
                     [](const Report& it) { return it.as<Kind>() != nullptr; });
}

// A bandwidth that was solved for has more digits than anybody reads.
std::string axis_label(const Report& result, const std::string& path) {
  const Cell value = axis_value(result, path);
  const auto* rate = std::get_if<Bandwidth>(&value);
  return rate != nullptr ? readable(*rate) : axis_text(result, path);
}

void add_bound_cells(const Report& result, std::vector<Cell>& row) {
  const bool known = result.use && result.use->bound;
  row.push_back(known ? Cell(result.use->bound->time()) : Cell());
  row.push_back(known ? Cell(result.use->over_bound) : Cell());
}

}  // namespace

Table compare_table(const std::vector<Report>& results) {
  std::vector<std::string> axes = axis_names(results);
  const bool collective = any<CollectiveReport>(results);
  // The algorithm has a column anyway.
  const bool algorithms = collective && std::erase(axes, "workload.algorithm") > 0;
  Table table{{"fabric"}, {}};
  for (const std::string& axis : axes) table.columns.push_back(heading(axis, axes));
  if (collective) {
    table.columns.insert(table.columns.end(),
                         {"algorithm", "algorithm_bandwidth", "bus_bandwidth"});
  }
  const bool job = any<TrainingReport>(results);
  if (job) add_job_columns(results, table);
  const bool jobs = any<ColocatedReport>(results);
  if (jobs) add_jobs_columns(table);
  const bool cost = std::any_of(results.begin(), results.end(),
                                [](const Report& it) { return it.cost.has_value(); });
  if (cost) table.columns.insert(table.columns.end(), {"cost", "power"});
  const bool bound = std::any_of(results.begin(), results.end(),
                                 [](const Report& it) { return it.use && it.use->bound; });
  if (bound) {
    table.columns.insert(table.columns.end(),
                         {jobs ? "lower_bound_of_run" : "lower_bound", "over_lower_bound"});
  }
  const bool replays = any<ReplayReport>(results);
  table.columns.insert(table.columns.end(), {jobs             ? "mean_iteration_time"
                                             : job || replays ? "iteration_time"
                                                              : "completion_time",
                                             "versus_best"});
  const std::map<std::string, Duration> best = best_times(results, axes);
  for (const Report& result : results) {
    const Duration time = result.time();
    std::vector<Cell> row = {result.fabric()};
    for (const std::string& axis : axes) row.push_back(axis_value(result, axis));
    if (collective) add_collective_cells(result, algorithms, row);
    if (job) add_job_cells(results, result, row);
    if (jobs) add_jobs_cells(result, row);
    if (cost) row.insert(row.end(), {result.cost->price, result.cost->power});
    if (bound) add_bound_cells(result, row);
    row.push_back(result.ended() ? Cell(time) : Cell());
    row.push_back(result.outcome.deadlock ? Cell("deadlock")
                  : result.infeasible     ? Cell("infeasible")
                                          : versus(time, best.at(question(result, axes))));
    table.rows.push_back(std::move(row));
  }
  return table;
}

BarChart compare_chart(const std::vector<Report>& results, const std::string& title) {
  const std::vector<std::string> axes = axis_names(results);
  BarChart chart{.title = title, .axis = "milliseconds", .groups = {}};
  std::map<std::string, std::size_t> place;  // of a question's group
  for (const Report& result : results) {
    const auto at = place.emplace(question(result, axes), chart.groups.size());
    if (at.second) chart.groups.emplace_back();
    BarGroup& group = chart.groups[at.first->second];
    Bar bar{.name = result.fabric(), .value = 0, .label = "infeasible"};
    for (const std::string& axis : axes) {
      const std::string text = axis_label(result, axis);
      const bool of_question = asked(result.scenario, axis);
      if (!of_question && !text.empty()) bar.name += ", " + text;
      if (of_question && at.second) group.title += (group.title.empty() ? "" : ", ") + text;
    }
    if (result.outcome.deadlock) {
      bar.label = "deadlock";
    } else if (!result.infeasible) {
      bar.value = static_cast<double>(result.time().count()) / 1e9;
      bar.label = readable(result.time());
    }
    group.bars.push_back(std::move(bar));
  }
  return chart;
}

}  // namespace loom
