// The files in examples/, by type.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "loom/scenario/scenario.h"

namespace loom::testing {

// Names of all example files without folder and extension, sorted.
inline std::vector<std::string> all_example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(LOOM_SOURCE_DIR "/examples")) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Job profiles, for `compatible`.
inline bool is_profile_example(const std::string& name) { return name.starts_with("compatible_"); }

inline std::vector<std::string> profile_example_names() {
  std::vector<std::string> names = all_example_names();
  std::erase_if(names, [](const std::string& name) { return !is_profile_example(name); });
  return names;
}

// Cluster traces, for `cluster`.
inline bool is_scheduling_example(const std::string& name) {
  return name.starts_with("cluster_trace");
}

// Scenarios, for all other commands.
inline std::vector<std::string> example_names() {
  std::vector<std::string> names = all_example_names();
  std::erase_if(names, is_profile_example);
  std::erase_if(names, is_scheduling_example);
  return names;
}

inline std::string example_path(const std::string& name) { return "examples/" + name + ".yaml"; }

inline std::vector<scenario::Scenario> example_points(const std::string& name) {
  return scenario::read_scenarios(scenario::read_scenario_tree(example_path(name)), {});
}

}  // namespace loom::testing
