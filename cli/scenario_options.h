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

// Values of the options that were given, by key; one map per section of the scenario.
struct ScenarioOptions {
  std::map<std::string, std::string> scenario;
  std::map<std::string, std::string> workload;
  std::map<std::string, std::string> fabric;
};

// The option for a key, without leading dashes: "gpus-per-server" for gpus_per_server.
std::string option_name(std::string_view key);

void add_options(Command command, std::span<const Parameter> parameters,
                 std::map<std::string, std::string>& values, const std::string& group);

// Adds --fabric, and options for the top-level keys of a scenario and for the parameters of all
// fabric kinds. The help does not list these parameters; it refers to 'lightloom fabrics KIND'.
// Returns --fabric.
Option add_scenario_options(Command command, ScenarioOptions& args);

// Overrides top-level keys of a scenario that was read from a file.
void put_scenario_options(const std::map<std::string, std::string>& values, Tree& scenario);

// The scenario that the options describe, without a workload.
Tree fabric_tree(const ScenarioOptions& args);

// The scenario that the options describe, with `key: subject` added to its workload. Errors in this
// value call it `said`.
Tree scenario_tree(const ScenarioOptions& args, const std::string& key, const std::string& subject,
                   const std::string& said);

}  // namespace loom::cli
