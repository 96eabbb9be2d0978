// Facts about the circuits of a run: how many there are, how far their light goes, and how well
// forwarding uses them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"
#include "loom/run/circuit_report.h"
#include "loom/run/network_use.h"

namespace loom {

// In the order in which a reader wants them.
std::vector<std::pair<std::string, Cell>> circuit_facts(const CircuitReport& circuits);

// The loss of light on the longest circuit, term by term; empty on other fabrics than rings.
Table loss_table(const CircuitReport& circuits);

// The bound of several jobs is that of all their iterations, and is named so.
std::vector<std::pair<std::string, Cell>> network_use_facts(const NetworkUse& use, bool jobs);
void add_network_use_json(const NetworkUse& use, nlohmann::ordered_json& json);

}  // namespace loom
