// A scenario given by command-line options instead of a file.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "loom/base/settings.h"
#include "loom/scenario/scenario.h"

namespace loom::cli {

// Option values by key, one map per section of the scenario.
struct ScenarioOptions {
  std::map<std::string, std::string> scenario;
  std::map<std::string, std::string> workload;
  std::map<std::string, std::string> fabric;
};

// The option for a key, without leading dashes: "gpus-per-server" for gpus_per_server.
std::string option_name(std::string_view key);

void add_options(Command command, std::span<const Parameter> parameters,
                 std::map<std::string, std::string>& values, const std::string& group);

// Options for the top-level keys of a scenario, --fabric, and the parameters of all fabric kinds.
// The latter are hidden from the help; its footer names 'lightloom fabrics KIND' instead.
Option add_scenario_options(Command command, ScenarioOptions& args);

// Overrides top-level keys of a scenario that was read from a file.
void put_scenario_options(const std::map<std::string, std::string>& values, Tree& scenario);

// A scenario without a workload.
Tree fabric_tree(const ScenarioOptions& args);

// The workload also has `key: subject`; errors name it `said`.
Tree scenario_tree(const ScenarioOptions& args, const std::string& key, const std::string& subject,
                   const std::string& said);

}  // namespace loom::cli
