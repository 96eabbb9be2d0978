// Reports as tables: the output of `simulate`, `collective` and `flows`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/report/table.h"
#include "loom/run/run.h"

namespace loom::report {

const Parameter* find_parameter(std::span<const Parameter> parameters, std::string_view name);

// Converts a value to the type of its parameter, so that CSV and JSON show it in base units.
Cell typed_cell(const Parameter* parameter, const std::string& text);

// The column heading of an axis: "size" for "workload.size"; the full path if that is ambiguous.
std::string heading(const std::string& path, const std::vector<std::string>& all);

// One report in full, as text and JSON.
std::string report_text(const run::Report& report);
nlohmann::ordered_json report_json(const run::Report& report);

// The facts of a training job: names and values.
std::vector<std::pair<std::string, Cell>> job_facts(const run::Report& report);

Table busiest_table(const run::Report& report);

// One row per report, with the columns of nccl-tests: size, time, algorithm and bus bandwidth.
Table collective_table(const std::vector<run::Report>& reports);

Table flows_table(const run::Report& report);
nlohmann::ordered_json flows_json(const run::Report& report);
std::string flows_text(const run::Report& report);

std::string deadlock_text(const simulate::Deadlock& deadlock);

}  // namespace loom::report
