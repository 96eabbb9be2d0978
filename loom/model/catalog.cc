// The list of model families, and the functions that read and build a model.
#include "loom/model/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/text.h"
#include "loom/model/families/convnet.h"
#include "loom/model/families/mlp.h"
#include "loom/model/families/recommender.h"
#include "loom/model/families/transformer.h"

namespace loom::model {
namespace {

const ModelFamily* find_family(std::string_view name) {
  for (const ModelFamily& family : model_families()) {
    if (family.name == name) return &family;
  }
  return nullptr;
}

const ModelPreset* find_preset(std::string_view name) {
  for (const ModelPreset& preset : model_presets()) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const ModelPreset& preset : model_presets()) all.push_back(preset.name);
  for (const ModelFamily& family : model_families()) all.push_back(family.name);
  return all;
}

std::string read_name(const Tree& map, const std::string& title) {
  if (map.kind != Tree::Kind::map) {
    throw InputError(map.location, title + " is not a map; a model and its parameters are needed");
  }
  const std::vector<std::string_view> known = names();
  const std::string list = fmt::format("{}", fmt::join(known, ", "));
  const Tree* given = map.find("model");
  if (given == nullptr) {
    throw InputError(map.location, fmt::format("{} lacks 'model' ({})", title, list));
  }
  if (given->kind != Tree::Kind::scalar) {
    throw InputError(given->location,
                     title + ".model is not a single value; one of " + list + " is needed");
  }
  if (find_preset(given->text) == nullptr && find_family(given->text) == nullptr) {
    throw InputError(given->location,
                     fmt::format("{}.model is {}; one of {} is needed{}", title,
                                 given->text.empty() ? "empty" : shortened(given->text), list,
                                 suggestion(given->text, known)));
  }
  return given->text;
}

}  // namespace

std::span<const ModelFamily> model_families() {
  static const std::array kFamilies = {kTransformerFamily, kVggFamily,         kResnetFamily,
                                       kMlpFamily,         kRecommenderFamily, kCollaborativeFamily,
                                       kTowersFamily};
  return kFamilies;
}

ModelSpec read_model(const Tree& map, std::span<const std::string_view> ignored,
                     const std::string& title) {
  std::string name = read_name(map, title);
  const ModelPreset* preset = find_preset(name);
  const ModelFamily* family = find_family(preset != nullptr ? preset->family->name : name);
  std::vector<std::string_view> others(ignored.begin(), ignored.end());
  if (std::find(others.begin(), others.end(), "model") == others.end())
    others.emplace_back("model");
  const Tree full = preset != nullptr ? filled_in(map, preset->values) : map;
  return {std::move(name), family, Settings(full, family->parameters, title, others)};
}

Model build_model(const ModelSpec& spec) {
  LOOM_CHECK(spec.family != nullptr, "a model is read before it is built");
  Model model = spec.family->build(spec.settings);
  model.name = spec.name;
  return model;
}

}  // namespace loom::model
