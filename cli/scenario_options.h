// A scenario put together from options, without a file.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "loom/base/settings.h"
#include "loom/scenario/scenario.h"

namespace loom::cli {

// Values by option name, in three maps of the scenario.
struct ScenarioOptions {
  std::map<std::string, std::string> scenario;
  std::map<std::string, std::string> workload;
  std::map<std::string, std::string> fabric;
};

// The option for a key: "gpus-per-server" for gpus_per_server, without dashes before it.
std::string option_name(std::string_view key);

void add_options(Command command, std::span<const Parameter> parameters,
                 std::map<std::string, std::string>& values, const std::string& group);

// What stands at the top of a scenario, and --fabric with the parameters of all kinds.
Option add_scenario_options(Command command, ScenarioOptions& args);

// Puts what was given for the top of a scenario into one from a file.
void put_scenario_options(const std::map<std::string, std::string>& values, Tree& scenario);

// A scenario without a workload.
Tree fabric_tree(const ScenarioOptions& args);

// The workload has `subject` besides, as the user gave it.
Tree scenario_tree(const ScenarioOptions& args, const std::string& key, const std::string& subject,
                   const std::string& said);

}  // namespace loom::cli
