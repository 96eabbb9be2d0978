#include "loom/scenario/scenario.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "loom/scenario/job_parameters.h"

namespace loom::scenario {
namespace {

const std::string kGood =
    "workload: {collective: all_reduce, size: 1 GB, algorithm: ring}\n"
    "gpus: 64\n"
    "fabric: {kind: torus, shape: 8x8, bandwidth: [1 Gbps, 2 Gbps], name: mine}\n";

std::vector<Scenario> scenarios(const std::string& yaml,
                                const std::vector<std::string>& overrides = {}) {
  return read_scenarios(parse_yaml(yaml, "s.yaml"), overrides);
}

std::string refusal(const std::string& yaml) {
  try {
    scenarios(yaml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Scenario, EveryPointIsReadInFull) {
  const auto points = scenarios(kGood);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[1].settings.integer("gpus"), 64);
  EXPECT_EQ(points[1].workload().size("size"), 1_GB);
  EXPECT_EQ(points[1].fabric.kind->name, "torus");
  EXPECT_EQ(points[1].fabric.name, "mine");
  EXPECT_EQ(points[1].fabric.settings.bandwidth("bandwidth"), Bandwidth{2'000'000'000});
  EXPECT_EQ(points[1].axes,
            (std::vector<std::pair<std::string, std::string>>{{"fabric.bandwidth", "2 Gbps"}}));
}

TEST(Scenario, AMissingValueHasItsDefault) {
  const Scenario point = scenarios(kGood).front();
  EXPECT_EQ(point.engine(), Engine::automatic);
  EXPECT_EQ(point.sharing(), transport::Sharing::fair);
  EXPECT_EQ(point.seed(), 1U);
  EXPECT_EQ(point.workload().integer("chunks"), 1);
  EXPECT_TRUE(point.changes.empty());
}

TEST(Scenario, OverridesAreAppliedBeforeTheScenarioIsRead) {
  const auto points =
      scenarios(kGood, {"engine=coarse", "sharing=weighted", "seed=7", "fabric.bandwidth=3 Gbps"});
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].engine(), Engine::coarse);
  EXPECT_EQ(points[0].sharing(), transport::Sharing::weighted);
  EXPECT_EQ(points[0].seed(), 7U);
}

TEST(Scenario, ChangesAreReadInTheirOrder) {
  const auto points = scenarios(kGood +
                                "changes:\n"
                                "  - {at: 2 ms, link: 0->1, bandwidth: 0 bps}\n"
                                "  - {at: 1 ms, link: 1->0, bandwidth: 5 Gbps}\n");
  ASSERT_EQ(points[0].changes.size(), 2U);
  EXPECT_EQ(points[0].changes[0].duration("at"), 2_ms);
  EXPECT_EQ(points[0].changes[1].bandwidth("bandwidth"), 5_Gbps);
}

TEST(Scenario, APointWrittenAsYamlIsReadAsTheSamePoint) {
  for (const Scenario& point : scenarios(kGood)) {
    const auto again = scenarios(to_yaml(point.tree));
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(to_yaml(again[0].tree), to_yaml(point.tree));
  }
}

TEST(Scenario, TheWorkloadIsOfExactlyOneKind) {
  const std::string rest = "gpus: 4\nfabric: {kind: switch, bandwidth: 1 Gbps}\n";
  EXPECT_EQ(refusal("workload: {collective: all_reduce, size: 1 B, flows: f.csv}\n" + rest),
            "s.yaml:1: workload names several of model, collective, flows, file, rostam and "
            "flexflow; one is "
            "needed");
  EXPECT_EQ(refusal("workload: {file: w.yaml, chunks: 2}\n" + rest),
            "s.yaml:1: workload.chunks is 2; it belongs to a collective, and there is none");
  EXPECT_EQ(refusal("workload: {flows: f.csv}\n" + rest), "no error");
}

TEST(Scenario, AMistakeInOnePointIsReported) {
  EXPECT_EQ(
      refusal("workload: {collective: all_reduce, size: [1 B, 1]}\ngpus: 4\n"
              "fabric: {kind: switch, bandwidth: 1 Gbps}\n"),
      "s.yaml:1: workload.size is 1; a size needs one of the units B, kB, MB, GB, TB, PB, KB, "
      "KiB, MiB, GiB, TiB");
}

TEST(Schema, NamesEveryFabricAndEveryParameter) {
  const auto schema = nlohmann::json::parse(scenario_schema());
  const auto& fabrics = schema.at("$defs").at("fabric").at("oneOf");
  ASSERT_EQ(fabrics.size(), fabric::fabric_kinds().size());
  for (std::size_t k = 0; k < fabrics.size(); ++k) {
    const auto& properties = fabrics[k].at("properties");
    EXPECT_EQ(properties.at("kind").at("const"), fabric::fabric_kinds()[k].name);
    for (const Parameter& parameter : fabric::fabric_kinds()[k].parameters) {
      EXPECT_TRUE(properties.contains(std::string(parameter.name))) << parameter.name;
    }
  }
  for (const Parameter& parameter : workload_parameters()) {
    EXPECT_TRUE(schema.at("properties")
                    .at("workload")
                    .at("oneOf")
                    .at(0)
                    .at("properties")
                    .contains(std::string(parameter.name)));
  }
}

TEST(Schema, NamesEveryModelAndEveryParameterOfAJob) {
  const auto schema = nlohmann::json::parse(scenario_schema());
  const auto& kinds = schema.at("properties").at("workload").at("oneOf");
  ASSERT_EQ(kinds.size(), model::model_families().size() + 1);
  for (std::size_t f = 0; f < model::model_families().size(); ++f) {
    const auto& properties = kinds[f + 1].at("properties");
    for (const Parameter& parameter : model::model_families()[f].parameters) {
      EXPECT_TRUE(properties.contains(std::string(parameter.name))) << parameter.name;
    }
    for (const Parameter& parameter : job_parameters()) {
      EXPECT_TRUE(properties.contains(std::string(parameter.name))) << parameter.name;
    }
  }
}

}  // namespace
}  // namespace loom::scenario
