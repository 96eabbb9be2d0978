#include "loom/study/describe.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "loom/fabric/custom.h"
#include "loom/report/table.h"
#include "loom/study/parameters_table.h"

namespace loom {
namespace {

constexpr std::array<std::string_view, 6> kStages = {"scenario", "links",    "circuits",
                                                     "workload", "messages", "trace"};

std::vector<const FabricKind*> chosen_kinds(const std::string& name) {
  std::vector<const FabricKind*> kinds;
  std::vector<std::string_view> known;
  for (const FabricKind& kind : fabric_kinds()) {
    if (name.empty() || kind.name == name) kinds.push_back(&kind);
    known.push_back(kind.name);
  }
  if (kinds.empty()) {
    throw InputError({}, fmt::format("there is no fabric '{}'{}; 'lightloom fabrics' lists them",
                                     name, suggestion(name, known)));
  }
  return kinds;
}

}  // namespace

std::string fabrics_text(const std::string& name) {
  std::string text;
  for (const FabricKind* kind : chosen_kinds(name)) {
    text += fmt::format("{}{}: {}\n\n{}", text.empty() ? "" : "\n", kind->name, kind->summary,
                        to_text(parameters_table(kind->parameters)));
  }
  return text;
}

nlohmann::ordered_json fabrics_json(const std::string& name) {
  auto list = nlohmann::ordered_json::array();
  for (const FabricKind* kind : chosen_kinds(name)) {
    list.push_back({{"name", kind->name},
                    {"summary", kind->summary},
                    {"parameters", to_json(parameters_table(kind->parameters))}});
  }
  return list;
}

std::span<const std::string_view> stage_names() { return kStages; }

Stage dump_stage(const Scenario& scenario, std::string_view name, const RunOptions& options) {
  if (name == "scenario") return {to_yaml(scenario.tree), {}};
  if (name == "trace") {
    Stage stage;
    stage.deadlock = run(scenario, options, &stage.text).outcome.deadlock;
    return stage;
  }
  Prepared prepared = prepare(scenario, options.replacements, {options.threads, options.progress});
  if (name == "links" && prepared.moving()) {
    throw InputError(
        scenario.fabric.settings.place(),
        "circuits move and leave no links that stay; --stage circuits shows the first");
  }
  if (name == "links") return {to_text(prepared.network), {}};
  if (!prepared.infeasible.empty()) {
    throw InputError(scenario.workload.place(), prepared.infeasible);
  }
  if (name == "circuits") {
    if (!prepared.circuits) {
      throw InputError(scenario.fabric.settings.place(), "the fabric has no circuits");
    }
    return {circuits_csv(prepared.circuits->lit.circuits), {}};
  }
  if (prepared.job && prepared.workload.names.empty()) {
    for (std::size_t o = 0; o < prepared.workload.operations.size(); ++o) {
      prepared.workload.names.push_back(operation_name(prepared.job->lowered, o));
    }
  }
  return {to_text(name == "messages" ? expand(prepared.workload) : prepared.workload), {}};
}

}  // namespace loom
