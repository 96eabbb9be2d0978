// What `explain` says of circuits: kinds of traffic, idle ports, and upgrades planned again.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "loom/report/advise.h"
#include "loom/report/circuit_explanation_tables.h"
#include "loom/report/fabric_upgrades.h"

namespace loom::report {
namespace {

scenario::Scenario scenario_on(const std::string& fabric) {
  const std::string text =
      "workload: {model: transformer, layers: 4, hidden: 1024, heads: 8, vocabulary: 8000, "
      "sequence: 128, batch: 32, tensor: 2, data: 4, pipeline: 1}\ngpus: 8\n"
      "accelerator: a100\nfabric: {" +
      fabric + "}\n";
  return scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front();
}

run::Report explained(const std::string& fabric) {
  run::RunOptions options;
  options.details = true;
  return run::run(scenario_on(fabric), options);
}

constexpr std::array kCircuits = {
    "kind: sip_ocs, switches: 4, bandwidth: 100 Gbps",
    "kind: sip_ocs, switches: 2, bandwidth: 100 Gbps, reconfigure: phases, switch_time: 1 us",
    "kind: sip_ring, bandwidth: 200 Gbps",
    "kind: topoopt, degree: 4, bandwidth: 100 Gbps",
};

TEST(CircuitExplanation, StatesAddUpToTheIteration) {
  for (const char* fabric : kCircuits) {
    const run::Report report = explained(fabric);
    ASSERT_TRUE(report.circuit_explanation) << fabric;
    Duration sum{0};
    for (const run::CircuitState& it : report.circuit_explanation->states) sum += it.time;
    const run::Explanation& iteration = report.as<run::TrainingReport>()->explanation;
    EXPECT_EQ(sum, iteration.to - iteration.from) << fabric;
  }
}

TEST(CircuitExplanation, KindsUseTheirPortsAtMostFully) {
  for (const char* fabric : kCircuits) {
    const run::Report report = explained(fabric);
    ASSERT_TRUE(report.circuit_explanation) << fabric;
    const run::CircuitExplanation& it = *report.circuit_explanation;
    EXPECT_GE(it.kinds.size(), 2U) << fabric;
    for (const run::KindUse& use : it.kinds) {
      EXPECT_GT(use.ports, 0) << fabric << ", " << use.kind;
      EXPECT_GT(use.active.count(), 0) << fabric << ", " << use.kind;
      EXPECT_LE(use.used, 1.01) << fabric << ", " << use.kind;
    }
    for (const run::CircuitState& state : it.states) EXPECT_LE(state.idle_ports, it.ports);
    EXPECT_LE(it.used, 1) << fabric;
  }
}

TEST(CircuitExplanation, FitsATerminal) {
  for (const char* fabric : kCircuits) {
    std::istringstream lines(circuit_explanation_text(explained(fabric)));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(CircuitExplanation, BytesOfCircuitsAddUpToThoseOfTheirKinds) {
  const run::Report report = explained(kCircuits[0]);
  nlohmann::ordered_json json;
  add_circuit_explanation_json(report, json);
  std::map<std::string, double> bytes;
  for (const auto& circuit : json["circuit_use"]) {
    for (const auto& [kind, count] : circuit["bytes"].items()) bytes[kind] += count.get<double>();
  }
  for (const auto& kind : json["traffic_kinds"]) {
    EXPECT_NEAR(bytes[kind["kind"]], kind["bytes"].get<double>(), 1e3);
  }
}

TEST(Advice, UpgradesOfAFabricAreTheTimesOfTheirOwnPlans) {
  const scenario::Scenario scenario = scenario_on(kCircuits[0]);
  const std::vector<Advice> advice = advise(scenario, {});
  bool found = false;
  for (const Advice& it : advice) {
    if (!it.what.starts_with("one more switch")) continue;
    found = true;
    EXPECT_TRUE(it.planned_again);
    const run::Report again =
        run::run(scenario_on("kind: sip_ocs, switches: 5, bandwidth: 125 Gbps"));
    EXPECT_EQ(it.iteration_time, again.time());
    EXPECT_DOUBLE_EQ(it.gain, 1 - seconds(again.time()) / seconds(run::run(scenario).time()));
  }
  EXPECT_TRUE(found);
}

TEST(Advice, EveryCircuitFabricHasUpgradesThatItAccepts) {
  for (const char* fabric :
       {"kind: sip_ocs, switches: 4, bandwidth: 100 Gbps", "kind: sip_ring, bandwidth: 200 Gbps",
        "kind: sip_ring, bandwidth: 200 Gbps, fibers: 2",
        "kind: sip_ring, bandwidth: 200 Gbps, direction: unidirectional",
        "kind: mordia, bandwidth: 100 Gbps", "kind: megaswitch, bandwidth: 100 Gbps",
        "kind: helios, bandwidth: 100 Gbps", "kind: topoopt, degree: 3, bandwidth: 100 Gbps",
        "kind: sip_ocs, switches: 2, bandwidth: 100 Gbps, reconfigure: phases"}) {
    const scenario::Scenario scenario = scenario_on(fabric);
    const std::vector<Upgrade> upgrades = fabric_upgrades(scenario, 8);
    EXPECT_FALSE(upgrades.empty()) << fabric;
    for (const Upgrade& it : upgrades) {
      EXPECT_NO_THROW({
        const auto upgraded = scenario::read_scenarios(scenario.tree, it.overrides).front();
        build_circuits(upgraded.fabric, {8, 0});
      }) << fabric
         << ": " << it.what;
    }
  }
  EXPECT_TRUE(fabric_upgrades(scenario_on("kind: switch, bandwidth: 100 Gbps"), 8).empty());
}

}  // namespace
}  // namespace loom::report
