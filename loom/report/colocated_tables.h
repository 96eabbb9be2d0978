// Jobs that share a cluster as tables: each of them, and all together.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/report/job_tables.h"

namespace loom {

void add_jobs_facts(const Result& result, Facts& facts);

// Of a row of a comparison, before its time.
void add_jobs_columns(Table& table);
void add_jobs_cells(const Result& result, std::vector<Cell>& row);

// A row for each job. Machines also get its devices.
Table jobs_table(const JobsResult& jobs);
nlohmann::ordered_json jobs_json(const JobsResult& jobs);
std::string jobs_text(const JobsResult& jobs);

}  // namespace loom
