// The circuits of a run for the HTML report.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "loom/run/circuit_details.h"

namespace loom::report {

// The field `circuits` of a result (docs/report.md).
nlohmann::ordered_json circuits_json(const run::CircuitDetails& details);

}  // namespace loom::report
