// The built-in models: families with parameters, and presets with published values for them.
//
// To add a family: two source files that fill a ModelFamily, its name in catalog.cc, a test. To add
// a preset: its values in presets.cc, and its published parameter count in the tests.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "loom/base/settings.h"
#include "loom/model/model.h"

namespace loom::model {

struct ModelFamily {
  std::string_view name;     // as written in a scenario: "transformer"
  std::string_view summary;  // one line
  std::span<const Parameter> parameters;
  // Throws InputError if parameters contradict each other, or if the number of parameters, or the
  // training flops or elements of one sample, exceed 2^61.
  Model (*build)(const Settings& settings);
};

struct ModelPreset {
  std::string_view name;
  std::string_view summary;
  const ModelFamily* family;
  std::span<const std::pair<std::string_view, std::string_view>> values;  // parameter values
  std::string_view source;
};

std::span<const ModelFamily> model_families();
std::span<const ModelPreset> model_presets();

struct ModelSpec {
  std::string name;  // preset or family
  const ModelFamily* family = nullptr;
  Settings settings;
};

// Reads a map {model: NAME, parameters …}. A preset supplies the parameters that the map does not
// give. Keys in `ignored` are read elsewhere; `title` names the map in messages.
ModelSpec read_model(const Tree& map, std::span<const std::string_view> ignored = {},
                     const std::string& title = "workload");

Model build_model(const ModelSpec& spec);

}  // namespace loom::model
