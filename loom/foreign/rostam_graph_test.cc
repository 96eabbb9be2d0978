#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/foreign/rostam.h"
#include "loom/foreign/testing.h"

namespace loom::foreign {
namespace {

model::ProfiledGraph graph_of(const std::string& content) {
  const std::vector<RostamFile> files = {{1, "m_bs1.pb", content}};
  return to_graph(parse_rostam(files));
}

std::string computations(const std::vector<std::string>& names) {
  std::string graph;
  for (const std::string& name : names) graph += rostam_op({.name = name, .time = 1, .output = 9});
  return graph;
}

TEST(RostamGraph, ComputationsAreOperatorsWithTheirMeasurements) {
  const std::vector<RostamFile> files = {
      {8, "m_bs8.pb", rostam_op({.name = "a", .time = 10, .output = 80})},
      {16, "m_bs16.pb", rostam_op({.name = "a", .time = 15, .output = 160})}};
  const model::ProfiledGraph graph = to_graph(parse_rostam(files));
  EXPECT_EQ(graph.source, "m_bs8.pb");
  EXPECT_EQ(graph.batches, (std::vector<int>{8, 16}));
  EXPECT_EQ(graph.operators,
            (std::vector<model::ProfiledOperator>{{"a", {}, {10_us, 15_us}, {80_B, 160_B}}}));
}

TEST(RostamGraph, MemoryNodesPropagateOutputsAndControlNodesTheOrder) {
  const model::ProfiledGraph graph =
      graph_of(computations({"a", "b", "c", "d"}) + rostam_op({.name = "kept", .type = 1}) +
               rostam_op({.name = "join", .type = 2}) + rostam_edges("a", {"kept", "b"}) +
               rostam_edges("b", {"join", "c"}) + rostam_edges("c", {"join"}) +
               rostam_edges("kept", {"d"}) + rostam_edges("join", {"d"}));
  ASSERT_EQ(graph.operators.size(), 4U);
  EXPECT_EQ(graph.operators[1].inputs, (std::vector<model::ProfiledInput>{{0, true}}));
  EXPECT_EQ(graph.operators[3].inputs, (std::vector<model::ProfiledInput>{{0, true}, {2, false}}));
}

TEST(RostamGraph, ThePredecessorsOfAWriteMakeTheGradient) {
  const model::ProfiledGraph graph = graph_of(
      computations({"a", "b"}) + rostam_op({.name = "w", .bytes = 7, .type = 1, .memory = 1}) +
      rostam_op({.name = "empty", .type = 1, .memory = 1}) + rostam_edges("a", {"b", "w"}) +
      rostam_edges("b", {"w", "empty"}));
  EXPECT_FALSE(graph.sums_last);
  EXPECT_EQ(graph.variables, (std::vector<model::ProfiledVariable>{{"w", {7_B}, {0, 1}, {}}}));
}

TEST(RostamGraph, AWriteBelongsToTheVariableThatLeadsToItOrToItsMaker) {
  const std::string nodes = computations({"forward", "backward", "update"}) +
                            rostam_op({.name = "r", .bytes = 7, .type = 1, .memory = 2}) +
                            rostam_op({.name = "w", .bytes = 7, .type = 1, .memory = 1}) +
                            rostam_edges("forward", {"backward"}) +
                            rostam_edges("backward", {"update"}) + rostam_edges("update", {"w"});
  const auto users = [&](const std::vector<std::string>& readers) {
    return graph_of(nodes + rostam_edges("r", readers)).variables.front().users;
  };
  EXPECT_EQ(users({"forward"}), std::vector<int>{});
  EXPECT_EQ(users({"forward", "w"}), (std::vector<int>{0, 2}));
  EXPECT_EQ(users({"forward", "update"}), (std::vector<int>{0, 2}));
}

TEST(RostamGraph, AGraphThatWritesNoVariableTrainsThoseItReads) {
  const model::ProfiledGraph graph = graph_of(
      computations({"a", "b"}) + rostam_op({.name = "r", .bytes = 7, .type = 1, .memory = 2}) +
      rostam_op({.name = "same", .type = 1}) + rostam_edges("r", {"a", "same"}) +
      rostam_edges("same", {"b"}) + rostam_edges("a", {"b"}));
  EXPECT_TRUE(graph.sums_last);
  EXPECT_EQ(graph.variables, (std::vector<model::ProfiledVariable>{{"r", {7_B}, {0, 1}, {0, 1}}}));
}

TEST(RostamGraph, AGraphThatComputesNothingIsRefused) {
  EXPECT_EQ(message([] { graph_of(rostam_op({.name = "a", .type = 1})); }),
            "m_bs1.pb: no node is of the type COMPUTE; at least one is needed");
}

}  // namespace
}  // namespace loom::foreign
