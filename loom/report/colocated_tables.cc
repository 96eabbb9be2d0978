#include "loom/report/colocated_tables.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "loom/workload/ranks.h"

namespace loom::report {
namespace {

constexpr std::array kColumns = {"p99_iteration_time", "slowest_job", "mean_slowdown",
                                 "worst_slowdown"};

std::vector<Cell> cells_of(const run::ColocatedReport& jobs) {
  return {jobs.spread.p99, jobs.jobs[jobs.slowest].spread.mean, jobs.mean_slowdown,
          jobs.jobs[jobs.worst].slowdown()};
}

}  // namespace

void add_jobs_facts(const run::ColocatedReport& jobs, Facts& facts) {
  facts.emplace_back("mean_iteration_time", jobs.spread.mean);
  facts.emplace_back("p50_iteration_time", jobs.spread.p50);
  facts.emplace_back("p99_iteration_time", jobs.spread.p99);
  facts.emplace_back("mean_slowdown", jobs.mean_slowdown);
  const run::SharedJob& slowest = jobs.jobs[jobs.slowest];
  facts.emplace_back("slowest_job", slowest.name);
  facts.emplace_back("slowest_iteration_time", slowest.spread.mean);
  const run::SharedJob& worst = jobs.jobs[jobs.worst];
  facts.emplace_back("worst_slowdown", worst.slowdown());
  facts.emplace_back("worst_slowdown_job", worst.name);
  facts.emplace_back("jobs", static_cast<std::int64_t>(jobs.jobs.size()));
  facts.emplace_back("placement", jobs.placement);
}

void add_jobs_columns(Table& table) {
  table.columns.insert(table.columns.end(), kColumns.begin(), kColumns.end());
}

void add_jobs_cells(const run::Report& report, std::vector<Cell>& row) {
  const auto* jobs = report.as<run::ColocatedReport>();
  if (jobs == nullptr || jobs->jobs.empty()) {
    row.resize(row.size() + kColumns.size());
    return;
  }
  for (Cell& it : cells_of(*jobs)) row.push_back(std::move(it));
}

Table jobs_table(const run::ColocatedReport& jobs) {
  Table table{{"job", "gpus", "batch", "start", "end", "iterations", "mean", "p50", "p99", "max",
               "isolated", "slowdown", "strategy"},
              {}};
  for (const run::SharedJob& it : jobs.jobs) {
    table.rows.push_back({it.name, static_cast<std::int64_t>(it.devices.size()), it.batch, it.start,
                          it.end, static_cast<std::int64_t>(it.counted), it.spread.mean,
                          it.spread.p50, it.spread.p99, it.spread.max, it.isolated, it.slowdown(),
                          to_text(it.strategy)});
  }
  return table;
}

nlohmann::ordered_json jobs_json(const run::ColocatedReport& jobs) {
  nlohmann::ordered_json list = to_json(jobs_table(jobs));
  for (std::size_t j = 0; j < jobs.jobs.size(); ++j) {
    const run::SharedJob& job = jobs.jobs[j];
    list[j]["model"] = job.model;
    list[j]["devices"] = workload::ranks_text(job.devices);
    list[j]["memory"] = job.memory.count;
    list[j]["together"] = job.together;
    auto times = nlohmann::ordered_json::array();
    for (const Duration it : job.times) times.push_back(it.count());
    list[j]["iteration_times"] = std::move(times);
  }
  return list;
}

std::string jobs_text(const run::ColocatedReport& jobs) {
  std::string text =
      "\njobs, their iterations while all of them run:\n" + to_text(jobs_table(jobs));
  for (const run::SharedJob& it : jobs.jobs) {
    if (it.together > 0.99) continue;
    text += fmt::format(
        "{}: a shorter job ended after {:.0f} % of the first iteration, so its slowdown is too "
        "low; more iterations of the shorter job are needed\n",
        it.name, 100 * it.together);
  }
  return text;
}

}  // namespace loom::report
