#include "loom/report/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "loom/fabric/kinds/electrical/custom.h"
#include "loom/foreign/msccl.h"
#include "loom/report/parameters_table.h"
#include "loom/report/table.h"
#include "loom/run/plan_colocated.h"
#include "loom/workload/demand.h"

namespace loom::report {
namespace {

constexpr std::array<std::string_view, 10> kStages = {
    "scenario",   "links", "circuits",       "workload",
    "messages",   "trace", "cross_connects", "cross_connects_json",
    "forwarding", "msccl"};

std::vector<const fabric::FabricKind*> chosen_kinds(const std::string& name) {
  std::vector<const fabric::FabricKind*> kinds;
  std::vector<std::string_view> known;
  for (const fabric::FabricKind& kind : fabric::fabric_kinds()) {
    if (name.empty() || kind.name == name) kinds.push_back(&kind);
    known.push_back(kind.name);
  }
  if (kinds.empty()) {
    throw InputError({}, fmt::format("there is no fabric '{}'{}; 'lightloom fabrics' lists them",
                                     name, suggestion(name, known)));
  }
  return kinds;
}

// The largest collective of the workload that MSCCL supports, as MSCCL XML.
std::string msccl_of(const scenario::Scenario& scenario, const workload::Workload& workload) {
  const workload::Collective* largest = nullptr;
  int ranks = 0;
  std::string wrong = "it has no collective";
  for (const workload::Operation& it : workload.operations) {
    if (it.kind != workload::OperationKind::collective) continue;
    const workload::Collective& here =
        workload.collectives[static_cast<std::size_t>(it.collective)];
    const int here_ranks = workload.groups[static_cast<std::size_t>(it.groups)].size;
    const auto no = foreign::msccl_objection(here, here_ranks);
    if (no && largest == nullptr) wrong = no->why;
    if (no || (largest != nullptr && here.size <= largest->size)) continue;
    largest = &here;
    ranks = here_ranks;
  }
  if (largest == nullptr) throw InputError(scenario.workload().location(), wrong);
  return foreign::msccl_xml(*largest, ranks);
}

void refuse_addressing(const fabric::Addressing& addressing, const fabric::Circuits& circuits) {
  if (const auto no = objection(addressing)) {
    throw InputError(location_of("--" + no->key), no->text);
  }
  const auto beyond = [](const fabric::Circuit& it) {
    return it.plane >= fabric::kMaxAddressedPlanes;
  };
  if (std::any_of(circuits.begin(), circuits.end(), beyond)) {
    throw InputError(
        location_of("--addresses"),
        fmt::format(
            "the circuits have more planes than addresses can number; at most {} are possible",
            fabric::kMaxAddressedPlanes));
  }
}

// The text of a file or script that configures a cluster with these circuits.
std::string cluster_file(std::string_view name, const run::Plan& plan,
                         const fabric::Addressing& addressing) {
  const fabric::Circuits& circuits = plan.circuits->provisioned.circuits;
  if (name == "circuits") return circuits_csv(circuits);
  if (name == "cross_connects") return cross_connects_csv(circuits);
  if (name == "cross_connects_json") return cross_connects_json(circuits);
  refuse_addressing(addressing, circuits);
  return forwarding_commands(circuits, plan.network, demand_of(plan.workload), addressing);
}

// The names of a workload's operations. Those of planned jobs say what an operation is for.
std::vector<std::string> names_of(const run::ColocatedPlan& work, const workload::Workload&) {
  return operation_names(work);
}

std::vector<std::string> names_of(const run::TrainingPlan& work,
                                  const workload::Workload& workload) {
  if (!workload.names.empty()) return workload.names;
  std::vector<std::string> names;
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    names.push_back(operation_name(work.lowered, o));
  }
  return names;
}

template <typename Kind>
std::vector<std::string> names_of(const Kind&, const workload::Workload& workload) {
  return workload.names;
}

}  // namespace

std::string fabrics_text(const std::string& name) {
  std::string text;
  for (const fabric::FabricKind* kind : chosen_kinds(name)) {
    text += fmt::format("{}{}: {}\n\n{}", text.empty() ? "" : "\n", kind->name, kind->summary,
                        to_text(parameters_table(kind->parameters)));
  }
  return text;
}

nlohmann::ordered_json fabrics_json(const std::string& name) {
  auto list = nlohmann::ordered_json::array();
  for (const fabric::FabricKind* kind : chosen_kinds(name)) {
    list.push_back({{"name", kind->name},
                    {"summary", kind->summary},
                    {"parameters", to_json(parameters_table(kind->parameters))}});
  }
  return list;
}

std::span<const std::string_view> stage_names() { return kStages; }

Stage dump_stage(const scenario::Scenario& scenario, std::string_view name,
                 const run::RunOptions& options, const fabric::Addressing& addressing) {
  if (name == "scenario") return {to_yaml(scenario.tree), {}};
  if (name == "trace") {
    Stage stage;
    stage.deadlock = run::run(scenario, options, &stage.text).outcome.deadlock;
    return stage;
  }
  const run::Inputs inputs = read_inputs(scenario, options.replacements);
  const run::Fabric fabric = build(scenario, inputs.devices, options.replacements);
  if (name == "links" && fabric.network() != nullptr && fabric.routings.empty()) {
    return {to_text(*fabric.network()), {}};
  }
  run::Plan plan =
      plan_or_refuse(scenario, options.replacements, {options.threads, options.progress});
  if (name == "links" && plan.circuits_change()) {
    throw InputError(
        scenario.fabric.settings.location(),
        "the circuits change, so there are no fixed links; --stage circuits shows the first ones");
  }
  if (name == "links") return {to_text(plan.network), {}};
  if (name == "msccl") return {msccl_of(scenario, plan.workload), {}};
  if (name == "circuits" || name.starts_with("cross_connects") || name == "forwarding") {
    if (!plan.circuits) {
      throw InputError(scenario.fabric.settings.location(), "the fabric has no circuits");
    }
    if (name == "forwarding" && plan.circuits->fabric.packets) {
      throw InputError(scenario.fabric.settings.location(),
                       "pairs without a circuit go over the packet switch, so no host forwards");
    }
    if (name == "forwarding" && plan.circuits_change()) {
      throw InputError(scenario.fabric.settings.location(),
                       "the circuits change, so the hosts have no fixed routes");
    }
    return {cluster_file(name, plan, addressing), {}};
  }
  plan.workload.names =
      std::visit([&](const auto& work) { return names_of(work, plan.workload); }, plan.work);
  return {to_text(name == "messages" ? expand(plan.workload) : plan.workload), {}};
}

}  // namespace loom::report
