// Tables of a training job: its rates, its time breakdown, and the strategies considered.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"
#include "loom/run/run.h"

namespace loom {

using Facts = std::vector<std::pair<std::string, Cell>>;

void add_job_facts(const TrainingReport& job, Facts& facts);

// The columns and cells of a comparison that precede the time.
void add_job_columns(const std::vector<Report>& reports, Table& table);
void add_job_cells(const std::vector<Report>& reports, const Report& report,
                   std::vector<Cell>& row);

Table breakdown_table(const std::vector<TimeShare>& shares, Duration whole);
Table memory_table(const TrainingReport& job);
Table ranking_table(const StrategySearch& search, std::size_t max_rows);

std::string job_text(const TrainingReport& job);
void add_job_json(const TrainingReport& job, nlohmann::ordered_json& json);

// `explain`: the time breakdown of every stage and the critical path.
std::string explanation_text(const TrainingReport& job);
nlohmann::ordered_json explanation_json(const TrainingReport& job);

// `plan`: the strategies that the search considered.
std::string search_text(const TrainingReport& job, std::size_t max_rows);
nlohmann::ordered_json search_json(const TrainingReport& job);

}  // namespace loom
