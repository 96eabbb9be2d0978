// Tables of jobs that share a cluster: each job, and all together.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/report/job_tables.h"

namespace loom {

void add_jobs_facts(const ColocatedReport& jobs, const std::string& placement, Facts& facts);

// The columns and cells of a comparison that precede the time.
void add_jobs_columns(Table& table);
void add_jobs_cells(const Report& report, std::vector<Cell>& row);

// One row per job. JSON also lists its devices.
Table jobs_table(const ColocatedReport& jobs);
nlohmann::ordered_json jobs_json(const ColocatedReport& jobs);
std::string jobs_text(const ColocatedReport& jobs);

}  // namespace loom
