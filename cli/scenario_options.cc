#include "cli/scenario_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::cli {
namespace {

// The parameters of all fabric kinds, each name once. If the meaning of a parameter depends on the
// kind, its summary refers to 'fabrics KIND'.
std::vector<Parameter> fabric_parameters() {
  std::vector<Parameter> all;
  for (const fabric::FabricKind& kind : fabric::fabric_kinds()) {
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

// Parses the value of an option: "[1MB, 1GB]" is a list, which adds an axis; anything else is a
// scalar.
Tree value_tree(const std::string& name, const std::string& text) {
  const SourceLocation location = location_of(fmt::format("--{} {}", option_name(name), text));
  return text.starts_with('[') ? parse_yaml_value(text, location) : scalar_tree(text, location);
}

Tree map_of(const std::map<std::string, std::string>& values, const SourceLocation& location) {
  Tree map;
  map.kind = Tree::Kind::map;
  map.location = location;
  for (const auto& [name, text] : values) {
    map.entries.push_back({name, value_tree(name == "kind" ? "fabric" : name, text)});
  }
  return map;
}

}  // namespace

std::string option_name(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

void add_options(Command command, std::span<const Parameter> parameters,
                 std::map<std::string, std::string>& values, const std::string& group) {
  for (const Parameter& parameter : parameters) {
    const std::string name(parameter.name);
    const std::string option = "--" + option_name(name);
    if (command.has_option(option)) continue;
    std::string help(parameter.summary);
    if (!parameter.fallback.empty()) help += fmt::format(" [{}]", parameter.fallback);
    command
        .add_option_function(
            option, [&values, name](const std::string& text) { values[name] = text; }, help)
        .type_name(parameter.type == ValueType::boolean ? "true|false" : "VALUE")
        .group(group);
  }
}

Option add_scenario_options(Command command, ScenarioOptions& args) {
  const Option fabric =
      command
          .add_option_function(
              "--fabric", [&args](const std::string& kind) { args.fabric["kind"] = kind; },
              "kind of fabric ('lightloom fabrics' lists all); its parameters are options too: see "
              "'lightloom fabrics KIND'")
          .type_name("KIND");
  add_options(command, scenario::scenario_parameters(), args.scenario, "Options");
  add_options(command, fabric_parameters(), args.fabric, "");
  command.footer(
      "Fabric options: any parameter of the fabric kind, e.g. --bandwidth 400Gbps; 'lightloom "
      "fabrics KIND' lists them.");
  return fabric;
}

void put_scenario_options(const std::map<std::string, std::string>& values, Tree& scenario) {
  if (scenario.kind != Tree::Kind::map) return;  // rejected later
  for (const auto& [name, text] : values) {
    Tree* known = scenario.find(name);
    if (known == nullptr) {
      scenario.entries.push_back({name, value_tree(name, text)});
    } else {
      *known = value_tree(name, text);
    }
  }
}

Tree fabric_tree(const ScenarioOptions& args) {
  const SourceLocation here = location_of("command line");
  Tree tree = map_of(args.scenario, here);
  tree.entries.push_back({"fabric", map_of(args.fabric, here)});
  return tree;
}

Tree scenario_tree(const ScenarioOptions& args, const std::string& key, const std::string& subject,
                   const std::string& said) {
  const SourceLocation here = location_of("command line");
  Tree workload = map_of(args.workload, here);
  workload.entries.push_back({key, scalar_tree(subject, location_of(said + " " + subject))});
  Tree tree = map_of(args.scenario, here);
  tree.entries.push_back({"workload", std::move(workload)});
  tree.entries.push_back({"fabric", map_of(args.fabric, here)});
  return tree;
}

}  // namespace loom::cli
