// Results as tables: what `simulate`, `collective` and `flows` show.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/report/table.h"
#include "loom/run/run.h"

namespace loom {

const Parameter* find_parameter(std::span<const Parameter> parameters, std::string_view name);

// A value as what it is, so that machines get it in base units.
Cell typed_cell(const Parameter* parameter, const std::string& text);

// "workload.size" is headed "size"; two that would read alike keep their path.
std::string heading(const std::string& path, const std::vector<std::string>& all);

// One result in full, for people and for machines.
std::string report_text(const Report& result);
nlohmann::ordered_json report_json(const Report& result);

// What a job achieved, name by name.
std::vector<std::pair<std::string, Cell>> job_facts(const Report& result);

Table busiest_table(const Report& result);

// One line as nccl-tests prints it: size, time, algorithm and bus bandwidth.
Table collective_table(const std::vector<Report>& results);

Table flows_table(const Report& result);
nlohmann::ordered_json flows_json(const Report& result);
std::string flows_text(const Report& result);

std::string deadlock_text(const Deadlock& deadlock);

}  // namespace loom
