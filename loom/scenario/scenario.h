// A scenario: the work, the number of devices, the fabric and the simulation engine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loom/base/settings.h"
#include "loom/base/tree.h"
#include "loom/fabric/fabric.h"
#include "loom/scenario/work.h"
#include "loom/simulate/engine.h"
#include "loom/workload/workload.h"

namespace loom::scenario {

enum class Engine : std::uint8_t { automatic, fluid, coarse };

struct Scenario {
  Settings settings;  // gpus, engine, seed, sharing, jitter, folding, prices
  Work work;
  fabric::FabricSpec fabric;
  std::vector<Settings> changes;
  std::vector<std::pair<std::string, std::string>> axes;  // path and value per axis of a comparison
  Tree tree;                                              // the source it was read from
  std::optional<Infeasible> unaffordable = {};  // why the fabric cannot have the cost of another

  // The work if it is of type Kind, else nullptr.
  template <typename Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&work);
  }
  const Settings& workload() const;        // the keys below `workload`; none for a list of jobs
  const SourceLocation& location() const;  // where the work is described
  Engine engine() const;
  transport::Sharing sharing() const;  // weighted if a job has traffic weights
  std::uint64_t seed() const;

 private:
  bool weighs_traffic() const;
};

// The parameters at the top level of a scenario, in its workload, and in an entry of `changes`.
std::span<const Parameter> scenario_parameters();
std::span<const Parameter> workload_parameters();
std::span<const Parameter> change_parameters();
std::span<const Parameter> cluster_parameters();    // at the top, if the scenario lists jobs
std::span<const Parameter> job_entry_parameters();  // in addition to those of a training job

// The top-level settings of a point.
Settings scenario_settings(const Tree& scenario);

// Returns all points of a scenario file, after `--set` overrides. Throws InputError at the first
// error.
std::vector<Scenario> read_scenarios(Tree tree, std::span<const std::string> overrides);

// Parses the file; `-` is standard input.
Tree read_scenario_tree(const std::string& path);

// JSON Schema of scenario files, for editors.
std::string scenario_schema();

}  // namespace loom::scenario
