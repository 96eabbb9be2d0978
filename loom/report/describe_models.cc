// The built-in models and accelerators as tables.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "loom/model/accelerator.h"
#include "loom/model/catalog.h"
#include "loom/report/describe.h"
#include "loom/report/parameters_table.h"
#include "loom/report/table.h"

namespace loom::report {
namespace {

model::Model preset_model(const model::ModelPreset& preset) {
  Tree map;
  map.kind = Tree::Kind::map;
  map.entries = {{"model", scalar_tree(std::string(preset.name), {})}};
  return model::build_model(model::read_model(map));
}

// A rounded count with its unit: "8.03 B" parameters, "24.5 G" operations.
std::string count_text(std::int64_t count, std::span<const std::string_view> units) {
  auto value = static_cast<double>(count);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  return unit == 0 ? fmt::format("{}", count) : fmt::format("{:.2f} {}", value, units[unit]);
}

constexpr std::array<std::string_view, 5> kMany = {"", "k", "M", "B", "T"};
constexpr std::array<std::string_view, 6> kFlops = {"", "k", "M", "G", "T", "P"};

std::string flops_text(std::int64_t flops) { return count_text(flops, kFlops); }

Table presets_table() {
  Table table{{"model", "parameters", "active", "training_flops", "of_one", "family", "source"},
              {}};
  for (const model::ModelPreset& preset : model::model_presets()) {
    const model::Model model = preset_model(preset);
    table.rows.push_back({std::string(preset.name), count_text(model.parameters(), kMany),
                          count_text(model.active_parameters(), kMany),
                          flops_text(model.training_flops()), model.sample,
                          std::string(preset.family->name), std::string(preset.source)});
  }
  return table;
}

std::string preset_text(const model::ModelPreset& preset) {
  std::string text =
      fmt::format("{}: {}\nsource: {}\n\n", preset.name, preset.summary, preset.source);
  Table values{{"parameter", "value"}, {}};
  for (const auto& value : preset.values) {
    values.rows.push_back({std::string(value.first), std::string(value.second)});
  }
  const model::Model model = preset_model(preset);
  text += to_text(values);
  return text + fmt::format("\n{} parameters, {} operators in {} blocks; family {}:\n\n{}",
                            model.parameters(), model.operators.size(), model.blocks,
                            preset.family->name,
                            to_text(parameters_table(preset.family->parameters)));
}

[[noreturn]] void refuse_model(const std::string& name) {
  std::vector<std::string_view> known;
  for (const model::ModelPreset& it : model::model_presets()) known.push_back(it.name);
  for (const model::ModelFamily& it : model::model_families()) known.push_back(it.name);
  throw InputError({}, fmt::format("there is no model '{}'{}; 'lightloom models' lists them", name,
                                   suggestion(name, known)));
}

}  // namespace

std::string models_text(const std::string& name) {
  if (name.empty()) {
    std::string text = to_text(presets_table()) + "\nfamilies for your own models:\n";
    Table families{{"family", "what"}, {}};
    for (const model::ModelFamily& it : model::model_families()) {
      families.rows.push_back({std::string(it.name), std::string(it.summary)});
    }
    return text + to_text(families);
  }
  for (const model::ModelPreset& it : model::model_presets()) {
    if (it.name == name) return preset_text(it);
  }
  for (const model::ModelFamily& it : model::model_families()) {
    if (it.name == name) {
      return fmt::format("{}: {}\n\n{}", it.name, it.summary,
                         to_text(parameters_table(it.parameters)));
    }
  }
  refuse_model(name);
}

nlohmann::ordered_json models_json(const std::string& name) {
  auto list = nlohmann::ordered_json::array();
  for (const model::ModelPreset& preset : model::model_presets()) {
    if (!name.empty() && preset.name != name) continue;
    const model::Model model = preset_model(preset);
    list.push_back({{"name", preset.name},
                    {"summary", preset.summary},
                    {"family", preset.family->name},
                    {"parameters", model.parameters()},
                    {"active_parameters", model.active_parameters()},
                    {"forward_flops", model.forward_flops()},
                    {"training_flops", model.training_flops()},
                    {"sample", model.sample},
                    {"tokens", model.tokens},
                    {"blocks", model.blocks},
                    {"source", preset.source}});
  }
  if (list.empty()) refuse_model(name);
  return list;
}

namespace {

Table accelerators_table(const std::string& name) {
  Table table{
      {"name", "bf16", "fp16", "fp32", "fp8", "memory", "memory_bandwidth", "sustained", "source"},
      {}};
  std::vector<std::string_view> known;
  const auto speed = [](const model::Accelerator& it, model::Precision precision) {
    const FlopRate rate = it.peak[static_cast<std::size_t>(precision)];
    return rate.per_second == 0 ? Cell() : Cell(rate);
  };
  for (const model::AcceleratorPreset& preset : model::accelerator_presets()) {
    known.push_back(preset.name);
    if (!name.empty() && preset.name != name) continue;
    const model::Accelerator it =
        model::read_accelerator(scalar_tree(std::string(preset.name), {}));
    table.rows.push_back({it.name, speed(it, model::Precision::bf16),
                          speed(it, model::Precision::fp16), speed(it, model::Precision::fp32),
                          speed(it, model::Precision::fp8), it.memory, it.memory_bandwidth,
                          it.sustained, std::string(preset.source)});
  }
  if (table.rows.empty()) {
    throw InputError({}, fmt::format("there is no accelerator '{}'{}; 'lightloom accelerators' "
                                     "lists them",
                                     name, suggestion(name, known)));
  }
  return table;
}

}  // namespace

std::string accelerators_text(const std::string& name) {
  return to_text(accelerators_table(name)) +
         "\nkeys of your own accelerator, a map in a scenario:\n" +
         to_text(parameters_table(model::accelerator_parameters()));
}

nlohmann::ordered_json accelerators_json(const std::string& name) {
  return to_json(accelerators_table(name));
}

}  // namespace loom::report
