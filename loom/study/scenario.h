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

struct Scenario {
  Settings settings;  // gpus, engine, seed, sharing, jitter, folding
  Settings workload;
  std::optional<ModelSpec> model;          // of a training job
  std::optional<Accelerator> accelerator;  // of a training job
  FabricSpec fabric;
  std::vector<Settings> changes;
  std::vector<std::pair<std::string, std::string>> axes;  // of a comparison: path and value
  Tree tree;                                              // what it was read from

  bool trains() const;  // a model, or what was measured of one
  Engine engine() const;
  Sharing sharing() const;
  std::uint64_t seed() const;
};

// What may stand at the top of a scenario, in its workload, and in an entry of changes.
std::span<const Parameter> scenario_parameters();
std::span<const Parameter> workload_parameters();
std::span<const Parameter> change_parameters();

// All points of a scenario file, after `--set` overrides. InputError at the first thing wrong.
std::vector<Scenario> read_scenarios(Tree tree, std::span<const std::string> overrides);

// The file, `-` being standard input.
Tree read_scenario_tree(const std::string& path);

// As a JSON Schema for editors.
std::string scenario_schema();

}  // namespace loom
