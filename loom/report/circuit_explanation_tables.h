// The use of circuits by kind of traffic, as `explain` shows it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "loom/run/report.h"

namespace loom::report {

// Empty if the report has no explanation of circuits.
std::string circuit_explanation_text(const run::Report& report);
void add_circuit_explanation_json(const run::Report& report, nlohmann::ordered_json& json);

}  // namespace loom::report
