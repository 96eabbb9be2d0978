// Tables of a training job: throughput, time breakdown, and the strategies considered.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"
#include "loom/run/run.h"

namespace loom::report {

using Facts = std::vector<std::pair<std::string, Cell>>;

void add_job_facts(const run::TrainingReport& job, Facts& facts);

// The columns of a comparison, which depend on all of its training jobs.
struct JobColumns {
  bool tokens = true;    // the samples of every completed job are sequences of tokens
  bool flops = false;    // flops and memory are known for some job; profiled jobs lack them
  bool batches = false;  // batches differ or a search chose one, so times are not comparable
};

JobColumns job_columns(const std::vector<run::Report>& reports);

// Add to a comparison the columns, and to one of its rows the cells, that precede the time.
void add_job_columns(const JobColumns& columns, Table& table);
void add_job_cells(const JobColumns& columns, const run::Report& report, std::vector<Cell>& row);

Table breakdown_table(const std::vector<run::TimeShare>& shares, Duration whole);
Table memory_table(const run::TrainingReport& job);
Table ranking_table(const plan::StrategySearch& search, std::size_t max_rows);

// The collectives of one iteration and their algorithms.
std::string algorithms_text(const run::TrainingReport& job);
nlohmann::ordered_json algorithms_json(const run::TrainingReport& job);

std::string job_text(const run::TrainingReport& job);
void add_job_json(const run::TrainingReport& job, nlohmann::ordered_json& json);

// Output of `explain`: the time breakdown of every stage, and the critical path.
std::string explanation_text(const run::TrainingReport& job);
nlohmann::ordered_json explanation_json(const run::TrainingReport& job);

// Output of `plan`: the strategies that the search considered.
std::string search_text(const run::TrainingReport& job, std::size_t max_rows);
nlohmann::ordered_json search_json(const run::TrainingReport& job);

}  // namespace loom::report
