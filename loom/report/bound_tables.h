// Lower bounds of a report, and the gap between its time and them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"
#include "loom/run/report.h"

namespace loom::report {

// A bound, and how many times as long the plan takes.
struct BoundAndGap {
  Duration bound{0};
  double gap = 0;
};

// The bound that no plan beats: over all strategies if the planner chose one of several, else over
// all circuits, routes and algorithms for the work as it is. Nothing if no bound is known.
std::optional<BoundAndGap> bound_of_plan(const run::Report& report);

// Names and values: the bound that no plan beats, that of the strategy, and what sets it.
std::vector<std::pair<std::string, Cell>> bound_facts(const run::Report& report);

// The terms of the bound, in picoseconds.
void add_bound_json(const run::Report& report, nlohmann::ordered_json& json);

}  // namespace loom::report
