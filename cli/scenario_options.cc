#include "cli/scenario_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::cli {
namespace {

// Of all kinds, each name once. Where kinds mean different things by it, only they can say what.
std::vector<Parameter> fabric_parameters() {
  std::vector<Parameter> all;
  for (const FabricKind& kind : fabric_kinds()) {
    for (const Parameter& parameter : kind.parameters) {
      const auto known = std::find_if(
          all.begin(), all.end(), [&](const Parameter& it) { return it.name == parameter.name; });
      if (known == all.end()) {
        all.push_back(parameter);
      } else if (known->summary != parameter.summary) {
        known->summary = "depends on the kind: see 'lightloom fabrics KIND'";
        known->fallback = known->fallback == parameter.fallback ? known->fallback : "";
      }
    }
  }
  return all;
}

// "[1MB, 1GB]" is a list, so an axis; anything else stands as it is.
Tree value_tree(const std::string& name, const std::string& text) {
  const Place place = place_of(fmt::format("--{} {}", name, text));
  return text.starts_with('[') ? parse_yaml_value(text, place) : scalar_tree(text, place);
}

Tree map_of(const std::map<std::string, std::string>& values, const Place& place) {
  Tree map;
  map.kind = Tree::Kind::map;
  map.place = place;
  for (const auto& [name, text] : values) {
    map.entries.push_back({name, value_tree(name == "kind" ? "fabric" : name, text)});
  }
  return map;
}

}  // namespace

void add_options(CLI::App& command, std::span<const Parameter> parameters,
                 std::map<std::string, std::string>& values, const std::string& group) {
  for (const Parameter& parameter : parameters) {
    const std::string name(parameter.name);
    if (command.get_option_no_throw("--" + name) != nullptr) continue;
    std::string help(parameter.summary);
    if (!parameter.fallback.empty()) help += fmt::format(" [{}]", parameter.fallback);
    command
        .add_option_function<std::string>(
            "--" + name, [&values, name](const std::string& text) { values[name] = text; }, help)
        ->type_name(parameter.type == ValueType::flag ? "true|false" : "VALUE")
        ->group(group);
  }
}

CLI::Option* add_scenario_options(CLI::App& command, ScenarioFlags& flags) {
  add_options(command, scenario_parameters(), flags.scenario, "Options");
  CLI::Option* fabric =
      command
          .add_option_function<std::string>(
              "--fabric", [&flags](const std::string& kind) { flags.fabric["kind"] = kind; },
              "kind of fabric; 'lightloom fabrics' lists them")
          ->type_name("KIND");
  add_options(command, fabric_parameters(), flags.fabric,
              "Fabric (which apply depends on its kind)");
  return fabric;
}

void put_scenario_flags(const std::map<std::string, std::string>& values, Tree& scenario) {
  if (scenario.kind != Tree::Kind::map) return;  // which is refused later
  for (const auto& [name, text] : values) {
    Tree* known = scenario.find(name);
    if (known == nullptr) {
      scenario.entries.push_back({name, value_tree(name, text)});
    } else {
      *known = value_tree(name, text);
    }
  }
}

Tree fabric_tree(const ScenarioFlags& flags) {
  const Place here = place_of("command line");
  Tree tree = map_of(flags.scenario, here);
  tree.entries.push_back({"fabric", map_of(flags.fabric, here)});
  return tree;
}

Tree scenario_tree(const ScenarioFlags& flags, const std::string& key, const std::string& subject,
                   const std::string& said) {
  const Place here = place_of("command line");
  Tree workload = map_of(flags.workload, here);
  workload.entries.push_back({key, scalar_tree(subject, place_of(said + " " + subject))});
  Tree tree = map_of(flags.scenario, here);
  tree.entries.push_back({"workload", std::move(workload)});
  tree.entries.push_back({"fabric", map_of(flags.fabric, here)});
  return tree;
}

}  // namespace loom::cli
