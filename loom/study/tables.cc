#include "loom/study/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "loom/study/job.h"
#include "loom/study/job_tables.h"
#include "loom/study/jobs_tables.h"

namespace loom {
namespace {

// Every axis of any result, in the order of appearance.
std::vector<std::string> axis_names(const std::vector<Result>& results) {
  std::vector<std::string> names;
  for (const Result& result : results) {
    for (const auto& [path, value] : result.scenario.axes) {
      if (std::find(names.begin(), names.end(), path) == names.end()) names.push_back(path);
    }
  }
  return names;
}

// The model that a path leads into: "workload.batch", "jobs.2.batch"; nullptr if into none.
const ModelSpec* model_at(const Scenario& scenario, const std::string& path) {
  if (path.starts_with("workload.")) return scenario.model ? &*scenario.model : nullptr;
  if (!path.starts_with("jobs.")) return nullptr;
  return &scenario.jobs.at(std::stoul(path.substr(5))).model;
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
std::string axis_text(const Result& result, const std::string& path) {
  const Tree* tree = &result.scenario.tree;
  for (std::size_t begin = 0; begin != std::string::npos && tree != nullptr;) {
    const std::size_t dot = path.find('.', begin);
    const std::string key = path.substr(begin, dot - begin);
    tree = tree->kind == Tree::Kind::list ? &tree->items.at(std::stoul(key)) : tree->find(key);
    begin = dot == std::string::npos ? dot : dot + 1;
  }
  return tree == nullptr ? "" : tree->text;
}

Cell axis_value(const Result& result, const std::string& path) {
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
std::string question(const Result& result, const std::vector<std::string>& axes) {
  std::string text;
  for (const std::string& axis : axes) {
    if (asked(result.scenario, axis)) text += axis_text(result, axis) + '\n';
  }
  return text;
}

std::map<std::string, Duration> best_times(const std::vector<Result>& results,
                                           const std::vector<std::string>& axes) {
  std::map<std::string, Duration> best;
  for (const Result& result : results) {
    if (result.outcome.deadlock || !result.infeasible.empty()) continue;
    const auto [at, first] = best.emplace(question(result, axes), result.time());
    if (!first) at->second = std::min(at->second, result.time());
  }
  return best;
}

Cell versus(Duration time, Duration best) {
  if (best.count() == 0) return {};
  return static_cast<double>(time.count()) / static_cast<double>(best.count());
}

std::string algorithm_text(const Collective& collective) {
  std::string text(name_of(collective.algorithm));
  for (std::size_t i = 0; i < collective.levels.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? " " : "x", collective.levels[i]);
  }
  for (const int step : collective.steps) text += fmt::format(" +{}", step);
  return text;
}

// As nccl-tests prints it.
std::string gigabytes_per_second(Bandwidth rate) {
  return fmt::format("{:.2f} GB/s", static_cast<double>(rate.bits_per_second) / 8e9);
}

void add_collective_facts(const Result& result, Facts& facts) {
  if (!result.collective) return;
  const Duration time = result.outcome.completion_time;
  facts.emplace_back("collective", std::string(name_of(result.collective->kind)));
  facts.emplace_back("algorithm", algorithm_text(*result.collective));
  facts.emplace_back("ranks", static_cast<std::int64_t>(result.ranks));
  if (!result.collective->sizes.empty()) return;
  facts.emplace_back("size", result.collective->size);
  if (time.count() == 0) return;
  facts.emplace_back("algorithm_bandwidth", algorithm_bandwidth(*result.collective, time));
  facts.emplace_back("bus_bandwidth", bus_bandwidth(*result.collective, result.ranks, time));
}

// Of an unequal all_to_all there is no size to divide.
Cell algorithm_bandwidth_cell(const Result& result) {
  const Duration time = result.outcome.completion_time;
  if (!result.collective || !result.collective->sizes.empty() || time.count() == 0) return {};
  return algorithm_bandwidth(*result.collective, time);
}

Cell bus_bandwidth_cell(const Result& result) {
  const Duration time = result.outcome.completion_time;
  if (!result.collective || !result.collective->sizes.empty() || time.count() == 0) return {};
  return bus_bandwidth(*result.collective, result.ranks, time);
}

// What messages that ask before they are sent cost in control.
void add_grant_facts(const GrantTally& tally, Facts& facts) {
  const auto devices = static_cast<double>(tally.sent.size());
  facts.emplace_back("control_messages", tally.messages());
  facts.emplace_back("control_messages_per_device",
                     static_cast<double>(tally.messages()) / devices);
  facts.emplace_back("most_control_messages_of_a_device",
                     *std::max_element(tally.sent.begin(), tally.sent.end()));
  facts.emplace_back("grants_declined", tally.declines);
  facts.emplace_back("forwarded_messages", tally.forwarded);
  facts.emplace_back("longest_wait_for_a_grant", tally.longest_wait);
}

// The algorithm in a row of a comparison. Where it is an axis, rows of `auto` are told from others.
Cell algorithm_cell(const Result& result, bool axis) {
  if (!result.collective) return {};
  return algorithm_text(*result.collective) + (axis && !result.considered.empty() ? " (auto)" : "");
}

Facts facts_of(const Result& result) {
  Facts facts;
  if (result.job) add_job_facts(result, facts);
  if (result.scenario.replays()) facts.emplace_back("iteration_time", result.time());
  if (result.jobs) add_jobs_facts(result, facts);
  facts.emplace_back("completion_time", result.outcome.completion_time);
  facts.emplace_back("fabric", result.fabric());
  facts.emplace_back("engine", std::string(result.engine == Engine::fluid ? "fluid" : "analytic"));
  facts.emplace_back("devices", static_cast<std::int64_t>(result.devices));
  add_collective_facts(result, facts);
  if (result.cost) {
    facts.emplace_back("cost", result.cost->price);
    facts.emplace_back("power", result.cost->power);
  }
  if (result.circuits) {
    for (auto& fact : circuit_facts(*result.circuits)) facts.push_back(std::move(fact));
  }
  if (result.outcome.grants) add_grant_facts(*result.outcome.grants, facts);
  if (result.use) {
    for (auto& fact : network_use_facts(*result.use)) facts.push_back(std::move(fact));
  }
  facts.emplace_back("messages", result.outcome.messages);
  facts.emplace_back("bytes", result.outcome.bytes);
  return facts;
}

Table considered_table(const Result& result) {
  Table table{{"algorithm", "predicted", "versus_best"}, {}};
  for (const PricedAlgorithm& it : result.considered) {
    table.rows.push_back({algorithm_text(it.collective), it.predicted,
                          versus(it.predicted, result.considered.front().predicted)});
  }
  return table;
}

// The smallest value that at least p of all do not exceed (nearest rank).
double percentile(const std::vector<double>& sorted, double p) {
  const auto rank = static_cast<std::size_t>(std::ceil(p * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

Facts slowdown_facts(const Result& result) {
  std::vector<double> slowdowns;
  for (const FlowResult& flow : result.flows) slowdowns.push_back(flow.slowdown());
  std::sort(slowdowns.begin(), slowdowns.end());
  if (slowdowns.empty()) return {};
  return {{"p50", percentile(slowdowns, 0.5)},
          {"p90", percentile(slowdowns, 0.9)},
          {"p99", percentile(slowdowns, 0.99)},
          {"max", slowdowns.back()}};
}

}  // namespace

const Parameter* find_parameter(std::span<const Parameter> parameters, std::string_view name) {
  for (const Parameter& it : parameters) {
    if (it.name == name) return &it;
  }
  return nullptr;
}

Cell typed_cell(const Parameter* parameter, const std::string& text) {
  std::string why;
  if (parameter == nullptr || (parameter->automatic && text == "auto")) return text;
  switch (parameter->type) {
    case ValueType::size:
      return parse_bytes(text, why).value();
    case ValueType::bandwidth:
      return parse_bandwidth(text, why).value();
    case ValueType::duration:
      return parse_duration(text, why).value();
    case ValueType::whole:
      return std::int64_t{std::stoll(text)};
    default:
      return text;
  }
}

std::string heading(const std::string& path, const std::vector<std::string>& all) {
  const std::string last = path.substr(path.rfind('.') + 1);
  const auto same = std::count_if(all.begin(), all.end(), [&](const std::string& other) {
    return other.substr(other.rfind('.') + 1) == last;
  });
  return same > 1 ? path : last;
}

Table compare_table(const std::vector<Result>& results) {
  std::vector<std::string> axes = axis_names(results);
  const bool collective = std::any_of(results.begin(), results.end(),
                                      [](const Result& it) { return it.collective.has_value(); });
  // The algorithm has a column anyway.
  const bool algorithms = collective && std::erase(axes, "workload.algorithm") > 0;
  Table table{{"fabric"}, {}};
  for (const std::string& axis : axes) table.columns.push_back(heading(axis, axes));
  if (collective) {
    table.columns.insert(table.columns.end(),
                         {"algorithm", "algorithm_bandwidth", "bus_bandwidth"});
  }
  const bool job = std::any_of(results.begin(), results.end(),
                               [](const Result& it) { return it.job.has_value(); });
  if (job) add_job_columns(results, table);
  const bool jobs = !results.empty() && !results.front().scenario.jobs.empty();
  if (jobs) add_jobs_columns(table);
  const bool cost = std::any_of(results.begin(), results.end(),
                                [](const Result& it) { return it.cost.has_value(); });
  if (cost) table.columns.insert(table.columns.end(), {"cost", "power"});
  const bool replays = std::any_of(results.begin(), results.end(),
                                   [](const Result& it) { return it.scenario.replays(); });
  table.columns.insert(table.columns.end(), {jobs             ? "mean_iteration_time"
                                             : job || replays ? "iteration_time"
                                                              : "completion_time",
                                             "versus_best"});
  const std::map<std::string, Duration> best = best_times(results, axes);
  for (const Result& result : results) {
    const Duration time = result.time();
    std::vector<Cell> row = {result.fabric()};
    for (const std::string& axis : axes) row.push_back(axis_value(result, axis));
    if (collective) {
      row.push_back(algorithm_cell(result, algorithms));
      row.push_back(algorithm_bandwidth_cell(result));
      row.push_back(bus_bandwidth_cell(result));
    }
    if (job) add_job_cells(results, result, row);
    if (jobs) add_jobs_cells(result, row);
    if (cost) row.insert(row.end(), {result.cost->price, result.cost->power});
    const bool none = result.outcome.deadlock || !result.infeasible.empty();
    row.push_back(none ? Cell() : Cell(time));
    row.push_back(result.outcome.deadlock ? Cell("deadlock")
                  : none                  ? Cell("infeasible")
                                          : versus(time, best.at(question(result, axes))));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table busiest_table(const Result& result) {
  Table table{{"link", "bytes", "utilization"}, {}};
  constexpr std::size_t kShown = 5;
  for (const LinkUse& use : result.busiest) {
    if (table.rows.size() == kShown) break;
    table.rows.push_back({use.link, use.bytes, use.utilization});
  }
  return table;
}

Facts job_facts(const Result& result) { return facts_of(result); }

BarChart compare_chart(const std::vector<Result>& results, const std::string& title) {
  const std::vector<std::string> axes = axis_names(results);
  BarChart chart{.title = title, .axis = "milliseconds", .groups = {}};
  std::map<std::string, std::size_t> place;  // of a question's group
  for (const Result& result : results) {
    const auto at = place.emplace(question(result, axes), chart.groups.size());
    if (at.second) chart.groups.emplace_back();
    BarGroup& group = chart.groups[at.first->second];
    Bar bar{.name = result.fabric(), .value = 0, .label = "infeasible"};
    for (const std::string& axis : axes) {
      const std::string text = axis_text(result, axis);
      const bool of_question = asked(result.scenario, axis);
      if (!of_question && !text.empty()) bar.name += ", " + text;
      if (of_question && at.second) group.title += (group.title.empty() ? "" : ", ") + text;
    }
    if (result.outcome.deadlock) {
      bar.label = "deadlock";
    } else if (result.infeasible.empty()) {
      bar.value = static_cast<double>(result.time().count()) / 1e9;
      bar.label = readable(result.time());
    }
    group.bars.push_back(std::move(bar));
  }
  return chart;
}

std::string result_text(const Result& result) {
  std::string text = to_text(facts_of(result));
  if (result.job) text += job_text(*result.job);
  if (result.jobs) text += jobs_text(*result.jobs);
  if (result.circuits && result.circuits->light && result.circuits->longest > 0) {
    const int longest = result.circuits->longest;
    text += fmt::format("\nlight on the longest circuit, {} segment{}, without amplifiers:\n",
                        longest, longest == 1 ? "" : "s") +
            to_text(light_table(*result.circuits));
  }
  if (!result.considered.empty()) {
    text +=
        "\nchosen as the cheapest by the analytic engine:\n" + to_text(considered_table(result));
  }
  if (!result.busiest.empty()) text += "\nbusiest links:\n" + to_text(busiest_table(result));
  return text;
}

nlohmann::ordered_json result_json(const Result& result) {
  nlohmann::ordered_json json;
  for (const auto& [name, value] : facts_of(result)) json[name] = to_json(value);
  if (!result.considered.empty()) json["considered"] = to_json(considered_table(result));
  if (result.job) add_job_json(*result.job, json);
  if (result.use) add_network_use_json(*result.use, json);
  if (result.jobs) json["each_job"] = jobs_json(*result.jobs);
  json["busiest_links"] = to_json(busiest_table(result));
  return json;
}

Table collective_table(const std::vector<Result>& results) {
  Table table{{"size", "ranks", "fabric", "algorithm", "time", "algbw", "busbw"}, {}};
  for (const Result& result : results) {
    if (!result.collective) continue;  // another workload was given in its place
    const Duration time = result.outcome.completion_time;
    table.rows.push_back({result.collective->size, static_cast<std::int64_t>(result.ranks),
                          result.fabric(), algorithm_text(*result.collective), time});
    auto& row = table.rows.back();
    row.resize(table.columns.size());
    if (!result.collective->sizes.empty()) row[0] = Cell();
    if (time.count() == 0 || !result.collective->sizes.empty()) continue;
    row[5] = gigabytes_per_second(algorithm_bandwidth(*result.collective, time));
    row[6] = gigabytes_per_second(bus_bandwidth(*result.collective, result.ranks, time));
  }
  return table;
}

Table flows_table(const Result& result) {
  Table table{{"source", "destination", "size", "start", "end", "completion_time", "slowdown"}, {}};
  for (const FlowResult& flow : result.flows) {
    table.rows.push_back({std::int64_t{flow.source}, std::int64_t{flow.destination}, flow.size,
                          flow.start, flow.end, flow.end - flow.start, flow.slowdown()});
  }
  return table;
}

nlohmann::ordered_json flows_json(const Result& result) {
  nlohmann::ordered_json json = result_json(result);
  nlohmann::ordered_json slowdown = nlohmann::ordered_json::object();
  for (const auto& [name, value] : slowdown_facts(result)) slowdown[name] = to_json(value);
  json["slowdown"] = std::move(slowdown);
  json["flows"] = to_json(flows_table(result));
  return json;
}

std::string flows_text(const Result& result) {
  constexpr std::size_t kShown = 20;
  Table table = flows_table(result);
  const std::size_t all = table.rows.size();
  if (all > kShown) table.rows.resize(kShown);
  std::string text = to_text(table);
  if (all > kShown) {
    text += fmt::format("… and {} more; --csv or --json prints them all\n", all - kShown);
  }
  text += "\n" + to_text(Facts{{"completion_time", result.outcome.completion_time},
                               {"flows", static_cast<std::int64_t>(all)},
                               {"bytes", result.outcome.bytes}});
  text += "\nslowdown against a network of its own:\n" + to_text(slowdown_facts(result));
  if (!result.busiest.empty()) text += "\nbusiest links:\n" + to_text(busiest_table(result));
  return text;
}

std::string deadlock_text(const Deadlock& deadlock) {
  std::string text =
      fmt::format("deadlock at {}: {} operation{} cannot finish\n", readable(deadlock.at),
                  deadlock.unfinished, deadlock.unfinished == 1 ? "" : "s");
  for (const std::string& line : deadlock.waiting) text += "  " + line + "\n";
  if (deadlock.unfinished > deadlock.waiting.size()) text += "  …\n";
  return text;
}

}  // namespace loom
