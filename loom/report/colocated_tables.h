// Tables of jobs that share a cluster: one row per job, and facts about all jobs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/report/job_tables.h"

namespace loom::report {

void add_jobs_facts(const run::ColocatedReport& jobs, Facts& facts);

// Add to a comparison the columns, and to one of its rows the cells, that precede the time.
void add_jobs_columns(Table& table);
void add_jobs_cells(const run::Report& report, std::vector<Cell>& row);

// One row per job. The JSON output also lists the devices of each job.
Table jobs_table(const run::ColocatedReport& jobs);
nlohmann::ordered_json jobs_json(const run::ColocatedReport& jobs);
std::string jobs_text(const run::ColocatedReport& jobs);

}  // namespace loom::report
