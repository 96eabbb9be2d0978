// The examples, as the tests go through them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "loom/study/scenario.h"

namespace loom::testing {

// Their names without folder and ending, in order.
inline std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(LOOM_SOURCE_DIR "/examples")) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string example_path(const std::string& name) { return "examples/" + name + ".yaml"; }

inline std::vector<Scenario> example_points(const std::string& name) {
  return read_scenarios(read_scenario_tree(example_path(name)), {});
}

}  // namespace loom::testing
