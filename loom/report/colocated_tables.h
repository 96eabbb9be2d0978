// Jobs that share a cluster as tables: each of them, and all together.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/report/job_tables.h"

namespace loom {

void add_jobs_facts(const ColocatedReport& jobs, const std::string& placement, Facts& facts);

// Of a row of a comparison, before its time.
void add_jobs_columns(Table& table);
void add_jobs_cells(const Report& result, std::vector<Cell>& row);

// A row for each job. Machines also get its devices.
Table jobs_table(const ColocatedReport& jobs);
nlohmann::ordered_json jobs_json(const ColocatedReport& jobs);
std::string jobs_text(const ColocatedReport& jobs);

}  // namespace loom
