// A scenario put together from options, without a file.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "loom/base/settings.h"
#include "loom/study/scenario.h"

namespace loom::cli {

// Values by option name, in three maps of the scenario.
struct ScenarioFlags {
  std::map<std::string, std::string> scenario;
  std::map<std::string, std::string> workload;
  std::map<std::string, std::string> fabric;
};

void add_options(CLI::App& command, std::span<const Parameter> parameters,
                 std::map<std::string, std::string>& values, const std::string& group);

// What stands at the top of a scenario, and --fabric with the parameters of all kinds.
CLI::Option* add_scenario_options(CLI::App& command, ScenarioFlags& flags);

// Puts what was given for the top of a scenario into one from a file.
void put_scenario_flags(const std::map<std::string, std::string>& values, Tree& scenario);

// A scenario without a workload.
Tree fabric_tree(const ScenarioFlags& flags);

// The workload has `subject` besides, as the user gave it.
Tree scenario_tree(const ScenarioFlags& flags, const std::string& key, const std::string& subject,
                   const std::string& said);

}  // namespace loom::cli
