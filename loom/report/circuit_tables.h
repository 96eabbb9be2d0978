// Facts about the circuits of a run: their number, their optical reach and the cost of forwarding.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"
#include "loom/run/circuit_report.h"
#include "loom/run/network_use.h"

namespace loom::report {

// Names and values, in display order.
std::vector<std::pair<std::string, Cell>> circuit_facts(const run::CircuitReport& circuits);

// The optical loss of the longest circuit, term by term; empty unless the fabric is a ring.
Table loss_table(const run::CircuitReport& circuits);

// Names and values.
std::vector<std::pair<std::string, Cell>> network_use_facts(const run::NetworkUse& use);
void add_network_use_json(const run::NetworkUse& use, nlohmann::ordered_json& json);

}  // namespace loom::report
