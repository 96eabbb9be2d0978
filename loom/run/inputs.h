// Reads the files that a scenario or `--from` names, and counts the devices that they refer to.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "loom/foreign/flexflow.h"
#include "loom/scenario/scenario.h"
#include "loom/workload/workload.h"

namespace loom::run {

// Files that replace the output of a stage, in the form that `dump` writes.
struct Replacements {
  std::optional<std::string> links;
  std::optional<std::string> workload;
  std::optional<std::string> trace;
};

// Parses assignments such as "links=graph.yaml".
Replacements parse_replacements(std::span<const std::string> assignments);

struct Inputs {
  int devices = 0;
  std::optional<workload::Workload> workload;  // from a list of flows, a file, or --from
  std::optional<foreign::TaskGraph> graph;     // for a replay
};

Inputs read_inputs(const scenario::Scenario& scenario, const Replacements& replacements);

}  // namespace loom::run
