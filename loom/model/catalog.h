// The built-in models: families with parameters, and presets that fill those in as published.
//
// Adding a family: two source files that fill a ModelFamily, its name in catalog.cc, a test. Adding
// a preset: its values in presets.cc, and its published figures in the tests.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "loom/base/settings.h"
#include "loom/model/model.h"

namespace loom {

struct ModelFamily {
  std::string_view name;     // as written in a scenario: "transformer"
  std::string_view summary;  // one line for people
  std::span<const Parameter> parameters;
  // InputError where the parameters contradict each other or make a model too large to count.
  Model (*build)(const Settings& settings);
};

struct ModelPreset {
  std::string_view name;
  std::string_view summary;
  const ModelFamily* family;
  std::span<const std::pair<std::string_view, std::string_view>> values;  // of the parameters
  std::string_view source;
};

std::span<const ModelFamily> model_families();
std::span<const ModelPreset> model_presets();

struct ModelSpec {
  std::string name;  // of the preset or family
  const ModelFamily* family = nullptr;
  Settings settings;
};

// From a map {model: NAME, parameters …}. A preset's values stand where the user wrote none. Keys
// in `ignored` are read by somebody else; `title` names the map in messages.
ModelSpec read_model(const Tree& map, std::span<const std::string_view> ignored = {},
                     const std::string& title = "workload");

Model build_model(const ModelSpec& spec);

}  // namespace loom
