#include "loom/report/job_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "loom/report/collective_cells.h"
#include "loom/report/search_tables.h"
#include "loom/run/plan_bound.h"

namespace loom::report {
namespace {

double fraction(Duration time, Duration whole) {
  return whole.count() == 0
             ? 0
             : static_cast<double>(time.count()) / static_cast<double>(whole.count());
}

Duration sum(const std::vector<run::TimeShare>& shares) {
  Duration all{0};
  for (const run::TimeShare& it : shares) all += it.time;
  return all;
}

FlopRate rate(double per_second) { return {static_cast<std::int64_t>(per_second)}; }

std::vector<std::string> column_names(const JobColumns& columns) {
  std::vector<std::string> names = {"strategy",
                                    columns.tokens ? "tokens_per_second" : "samples_per_second"};
  if (columns.flops) {
    names.insert(names.end(), {"flops_per_device", "model_flops_utilization", "memory"});
  }
  names.emplace_back("exposed");
  if (columns.batches) names.insert(names.end(), {"batch", "time_to_accuracy"});
  return names;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// Sorts the shares, largest first.
std::vector<run::TimeShare> sorted(std::vector<run::TimeShare> shares) {
  std::stable_sort(
      shares.begin(), shares.end(),
      [](const run::TimeShare& a, const run::TimeShare& b) { return a.time > b.time; });
  return shares;
}

nlohmann::ordered_json shares_json(const std::vector<run::TimeShare>& shares) {
  auto list = nlohmann::ordered_json::array();
  for (const run::TimeShare& it : shares)
    list.push_back({{"name", it.name}, {"time", it.time.count()}});
  return list;
}

Table path_table(const run::Explanation& explanation, std::size_t max_rows) {
  Table table{{"from", "to", "time", "device", "what"}, {}};
  for (const run::PathSegment& it : explanation.path) {
    if (table.rows.size() == max_rows) break;
    table.rows.push_back({it.from - explanation.from, it.to - explanation.from, it.to - it.from,
                          std::int64_t{it.device}, it.name});
  }
  return table;
}

Table stages_table(const run::Explanation& explanation) {
  std::vector<std::string> names;
  for (const run::StageTime& stage : explanation.stages) {
    for (const run::TimeShare& it : stage.shares) {
      if (std::find(names.begin(), names.end(), it.name) == names.end()) names.push_back(it.name);
    }
  }
  Table table{{"stage", "device"}, {}};
  table.columns.insert(table.columns.end(), names.begin(), names.end());
  for (const run::StageTime& stage : explanation.stages) {
    std::vector<Cell> row = {std::int64_t{stage.stage}, std::int64_t{stage.device}};
    for (const std::string& name : names) {
      Duration time{0};
      for (const run::TimeShare& it : stage.shares) {
        if (it.name == name) time = it.time;
      }
      row.emplace_back(time);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string waiting_text(const plan::Waiting& waiting) {
  constexpr std::string_view kGradients = "gradients are reduced after the backward pass";
  constexpr std::string_view kSends = "stages wait for their sends";
  if (!waiting.sends) return std::string(kGradients) + ", which is faster here";
  if (!waiting.gradients) return std::string(kSends) + ", which is faster here";
  return fmt::format("{}, and {}, which is faster here", kGradients, kSends);
}

}  // namespace

void add_job_facts(const run::TrainingReport& job, Facts& facts) {
  facts.emplace_back("iteration_time", job.iteration_time);
  if (job.iteration_variation > 0) {
    facts.emplace_back(
        "iteration_time_varies",
        fmt::format("the last two of {} differ by {:.0f} %; {} is shown", job.iterations,
                    100 * job.iteration_variation,
                    job.iterations > 3 ? "the mean of the second half" : "the last one"));
  }
  facts.emplace_back("model", job.model);
  facts.emplace_back("strategy", strategy_text(job));
  if (job.waiting.any()) facts.emplace_back("waiting", waiting_text(job.waiting));
  if (job.search_report) add_search_facts(*job.search_report, facts);
  if (job.training) {
    facts.emplace_back("time_to_accuracy", readable(job.training->span));
    facts.emplace_back("iterations_to_accuracy", job.training->iterations);
    if (!job.training->measured) {
      facts.emplace_back("iterations_extrapolated",
                         "yes: no training run with this batch was measured");
    }
    if (!job.target.empty()) facts.emplace_back("accuracy", job.target);
  }
  facts.emplace_back("batch", job.batch);
  facts.emplace_back("samples_per_second", job.samples_per_second);
  if (job.tokens_per_second > 0) facts.emplace_back("tokens_per_second", job.tokens_per_second);
  if (job.profiled) return;
  facts.emplace_back("flops_per_device", rate(job.flops_per_device));
  facts.emplace_back("model_flops_utilization", job.model_flops_share);
  facts.emplace_back("memory", job.memory.total());
  facts.emplace_back("memory_limit", job.memory_limit);
  facts.emplace_back("memory_reserve", job.memory_reserve);
}

JobColumns job_columns(const std::vector<run::Report>& reports) {
  JobColumns columns;
  const run::TrainingReport* first = nullptr;
  for (const run::Report& report : reports) {
    const auto* job = report.as<run::TrainingReport>();
    if (job == nullptr) continue;
    columns.flops = columns.flops || !job->profiled;
    if (!report.ended()) continue;
    if (first == nullptr) first = job;
    columns.tokens = columns.tokens && job->tokens_per_second > 0;
    columns.batches = columns.batches || job->chose_batch || job->batch != first->batch;
  }
  return columns;
}

void add_job_columns(const JobColumns& columns, Table& table) {
  const std::vector<std::string> names = column_names(columns);
  table.columns.insert(table.columns.end(), names.begin(), names.end());
}

void add_job_cells(const JobColumns& columns, const run::Report& report, std::vector<Cell>& row) {
  const run::TrainingReport* job = report.trained();
  if (job == nullptr) {
    row.resize(row.size() + column_names(columns).size());
    return;
  }
  row.emplace_back(strategy_text(*job));
  row.emplace_back(columns.tokens ? job->tokens_per_second : job->samples_per_second);
  if (job->profiled) {
    row.resize(row.size() + (columns.flops ? 3 : 0));
  } else {
    row.emplace_back(rate(job->flops_per_device));
    row.emplace_back(job->model_flops_share);
    row.emplace_back(job->memory.total());
  }
  row.emplace_back(fraction(sum(exposed(job->explanation)), job->iteration_time));
  if (!columns.batches) return;
  row.emplace_back(job->batch);
  row.push_back(job->training ? Cell(readable(job->training->span)) : Cell());
}

Table breakdown_table(const std::vector<run::TimeShare>& shares, Duration whole) {
  Table table{{"what", "time", "share"}, {}};
  for (const run::TimeShare& it : sorted(shares)) {
    table.rows.push_back({it.name, it.time, percent(fraction(it.time, whole))});
  }
  return table;
}

Table memory_table(const run::TrainingReport& job) {
  return {{"what", "bytes"},
          {{"weights", job.memory.weights},
           {"gradients", job.memory.gradients},
           {"optimizer", job.memory.optimizer},
           {"activations", job.memory.activations},
           {"reserve", job.memory_reserve},
           {"limit", job.memory_limit}}};
}

Table algorithms_table(const run::TrainingReport& job) {
  Table table{{"what", "collective", "ranks", "algorithm", "times", "largest"}, {}};
  for (const run::JobAlgorithm& it : job.algorithms) {
    table.rows.push_back({std::string(place::kPurposeNames[static_cast<std::size_t>(it.purpose)]),
                          std::string(name_of(it.collective.kind)), std::int64_t{it.ranks},
                          algorithm_text(it.collective), it.count, it.collective.size});
  }
  return table;
}

// How the tensor ranks divide the operators: the name of a split, and its operators.
Table splits_table(const run::TrainingReport& job) {
  Table table{{"divided_by", "operators"}, {}};
  for (const run::SplitOperators& it : job.splits) {
    const bool uniform = it.split == parallelize::OperatorSplit::uniform;
    table.rows.push_back(
        {uniform ? std::string("tensor parallelism")
                 : std::string(parallelize::kSplitNames[static_cast<std::size_t>(it.split)]),
         it.names});
  }
  return table;
}

Table ranking_table(const plan::StrategySearch& search, std::size_t max_rows) {
  Table table{{"strategy", "memory", "lower_bound", "predicted", "simulated", "versus_best"}, {}};
  // Simulated times are compared with simulated ones, predicted with predicted.
  const auto versus_best = [&](const plan::RankedStrategy& it) {
    const plan::RankedStrategy& best = search.ranking.front();
    return it.simulated.count() > 0 ? fraction(it.simulated, best.simulated)
                                    : fraction(it.predicted, best.predicted);
  };
  for (const plan::RankedStrategy& it : search.ranking) {
    if (table.rows.size() == max_rows) break;
    auto& row = table.rows.emplace_back(std::vector<Cell>(table.columns.size()));
    row[0] = to_text(it.strategy);
    if (it.memory.count > 0) row[1] = it.memory;
    if (it.bound.count() > 0) row[2] = it.bound;
    if (it.predicted.count() > 0) {
      row[3] = it.predicted;
      row[5] = versus_best(it);
    }
    if (it.simulated.count() > 0) row[4] = it.simulated;
  }
  return table;
}

std::string algorithms_text(const run::TrainingReport& job) {
  std::string text;
  if (!job.splits.empty()) {
    text += "\nhow tensor ranks divide operators:\n" + to_text(splits_table(job));
  }
  if (job.algorithms.empty()) return text;
  return text + "\ncollectives of one iteration:\n" + to_text(algorithms_table(job));
}

nlohmann::ordered_json algorithms_json(const run::TrainingReport& job) {
  return to_json(algorithms_table(job));
}

std::string job_text(const run::TrainingReport& job) {
  if (job.explanation.stages.empty()) return "";
  const run::StageTime& stage = job.explanation.stages[job.explanation.busiest];
  std::string text =
      fmt::format("\ntime of one iteration on device {} of stage {}:\n", stage.device, stage.stage);
  text += to_text(breakdown_table(stage.shares, job.iteration_time));
  if (!job.profiled) text += "\nmemory of one device:\n" + to_text(memory_table(job));
  text += algorithms_text(job);
  if (job.search_report)
    text += "\nrounds of the search:\n" + to_text(rounds_table(*job.search_report));
  if (job.search.possible > 1) text += search_text(job, 5);
  return text;
}

void add_job_json(const run::TrainingReport& job, nlohmann::ordered_json& json) {
  if (job.explanation.stages.empty()) return;
  if (job.training) {
    json["time_to_accuracy_us"] = job.training->span.microseconds;
    json["iterations_extrapolated"] = !job.training->measured;
  }
  json["breakdown"] = shares_json(job.explanation.stages[job.explanation.busiest].shares);
  json["exposed"] = shares_json(exposed(job.explanation));
  if (!job.profiled) {
    Table components = memory_table(job);
    components.rows.pop_back();  // without the limit
    json["memory_components"] = to_json(components);
  }
  if (!job.splits.empty()) json["operator_splits"] = to_json(splits_table(job));
  json["collectives"] = algorithms_json(job);
  if (job.search_report) {
    json["rounds"] = to_json(rounds_table(*job.search_report));
    json["configurations"] = to_json(configurations_table(*job.search_report));
  }
  json["search"] = search_json(job);
}

std::string explanation_text(const run::TrainingReport& job) {
  const run::Explanation& it = job.explanation;
  std::string text = job_text(job);
  if (it.stages.size() > 1)
    text += "\ntime of one iteration by stage:\n" + to_text(stages_table(it));
  text += "\ncritical path, summed by name:\n" +
          to_text(breakdown_table(it.on_path, job.iteration_time));
  constexpr std::size_t kShown = 30;
  text += "\ncritical path from the start of the iteration:\n" + to_text(path_table(it, kShown));
  if (it.path.size() > kShown) {
    text += fmt::format("… and {} more segments; --json prints all\n", it.path.size() - kShown);
  }
  return text;
}

nlohmann::ordered_json explanation_json(const run::TrainingReport& job) {
  nlohmann::ordered_json json;
  json["iteration_time"] = job.iteration_time.count();
  if (!job.explanation.stages.empty()) {
    json["breakdown"] = shares_json(job.explanation.stages[job.explanation.busiest].shares);
  }
  auto stages = nlohmann::ordered_json::array();
  for (const run::StageTime& stage : job.explanation.stages) {
    stages.push_back({{"stage", stage.stage},
                      {"device", stage.device},
                      {"breakdown", shares_json(stage.shares)}});
  }
  json["stages"] = std::move(stages);
  json["critical_path_shares"] = shares_json(job.explanation.on_path);
  json["critical_path"] = to_json(path_table(job.explanation, job.explanation.path.size()));
  return json;
}

// Why the other strategies were not estimated.
std::string others_text(const plan::StrategySearch& search) {
  const std::size_t passed_over = search.unexamined();
  if (passed_over == 0) return "the bounds of the others exceed the best estimate";
  return fmt::format("{} others look slower on these circuits, and bounds exclude the rest",
                     passed_over);
}

std::string search_text(const run::TrainingReport& job, std::size_t max_rows) {
  const plan::StrategySearch& search = job.search;
  std::string text =
      job.profiled
          ? fmt::format("\n{} group sizes, {} feasible, estimated by the coarse engine:\n",
                        search.possible, search.ranking.size())
          : fmt::format(
                "\n{} strategies, {} fit in memory, {} estimated by the coarse engine, {}:\n",
                search.possible, search.ranking.size(), search.estimated,
                job.links_change ? "without the link changes" : others_text(search));
  text += to_text(ranking_table(search, max_rows));
  if (search.ranking.size() > max_rows) {
    text += fmt::format("… and {} more\n", search.ranking.size() - max_rows);
  }
  if (job.bound.count() > 0 && job.iteration_time.count() > 0) {
    text += fmt::format(
        "None of these strategies takes less than {}; the plan takes {:.3f} times as long.\n",
        readable(job.bound), run::gap(job.iteration_time, job.bound));
  }
  return text;
}

nlohmann::ordered_json search_json(const run::TrainingReport& job) {
  constexpr std::size_t kMaxRows = 100;
  nlohmann::ordered_json json;
  json["possible"] = job.search.possible;
  json["fitting"] = job.search.ranking.size();
  json["estimated"] = job.search.estimated;
  json["passed_over"] = job.search.unexamined();
  if (job.bound.count() > 0 && job.iteration_time.count() > 0) {
    json["lower_bound"] = job.bound.count();
    json["gap"] = run::gap(job.iteration_time, job.bound);
  }
  json["ranking"] = to_json(ranking_table(job.search, kMaxRows));
  return json;
}

}  // namespace loom::report
