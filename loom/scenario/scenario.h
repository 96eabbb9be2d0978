// A scenario: which work, on how many devices, over which fabric, seen by which engine.
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
#include "loom/model/accelerator.h"
#include "loom/model/catalog.h"
#include "loom/simulate/engine.h"
#include "loom/workload/workload.h"

namespace loom {

enum class Engine : std::uint8_t { automatic, fluid, analytic };

// One or several jobs of a cluster that many share.
struct JobEntry {
  Settings own;       // gpus, count, start, name
  Settings workload;  // as of a job that is alone
  ModelSpec model;
};

struct Scenario {
  Settings settings;  // gpus, engine, seed, sharing, jitter, folding, prices
  Settings workload;  // nothing in it where there are jobs
  std::vector<JobEntry> jobs;
  Settings cluster;                        // placement, iterations, keep_running: of jobs
  std::optional<ModelSpec> model;          // of a training job
  std::optional<Accelerator> accelerator;  // of a training job
  FabricSpec fabric;
  std::vector<Settings> changes;
  std::vector<std::pair<std::string, std::string>> axes;  // of a comparison: path and value
  Tree tree;                                              // what it was read from

  bool trains() const;   // one job: a model, or what was measured of one
  bool replays() const;  // a task graph: one iteration of a training that is placed already
  const SourceLocation& location() const;  // of the work
  Engine engine() const;
  Sharing sharing() const;
  std::uint64_t seed() const;
};

// What may stand at the top of a scenario, in its workload, and in an entry of changes.
std::span<const Parameter> scenario_parameters();
std::span<const Parameter> workload_parameters();
std::span<const Parameter> change_parameters();
std::span<const Parameter> cluster_parameters();    // at the top too, where there are jobs
std::span<const Parameter> job_entry_parameters();  // beside those of a training job

// What stands at the top of a point.
Settings scenario_settings(const Tree& scenario);

// All points of a scenario file, after `--set` overrides. InputError at the first thing wrong.
std::vector<Scenario> read_scenarios(Tree tree, std::span<const std::string> overrides);

// The file, `-` being standard input.
Tree read_scenario_tree(const std::string& path);

// As a JSON Schema for editors.
std::string scenario_schema();

}  // namespace loom
