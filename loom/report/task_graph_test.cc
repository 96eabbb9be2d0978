#include "loom/scenario/task_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "loom/base/files.h"
#include "loom/base/testing.h"
#include "loom/foreign/testing.h"
#include "loom/report/compare_tables.h"
#include "loom/report/tables.h"
#include "loom/run/export_task_graph.h"

namespace loom::report {
namespace {

using foreign::flexflow_file;

// 1 ms on server 0, 12.5 MB from there to server 1, 2 ms there, and a sum of 25 MB over both.
foreign::FlexGraph small_graph() {
  return {.tasks = {{.id = 1, .device = 10, .runtime = 1, .next = {2}},
                    {.type = 5, .id = 2, .device = 20, .size = 12'500'000, .next = {3}},
                    {.type = 1, .id = 3, .device = 11, .runtime = 2, .next = {4}},
                    {.type = 6, .id = 4, .runtime = 0.5, .size = 25'000'000, .next = {0, 1}}},
          .devices = {{.type = 0, .id = 10, .node = 0},
                      {.type = 0, .id = 11, .node = 1},
                      {.type = 14, .id = 20, .property = 1}}};
}

std::string file_of(const std::string& name, const foreign::FlexGraph& graph) {
  std::string path = ::testing::TempDir() + name + ".fbuf";
  write_file(path, flexflow_file(graph));
  return path;
}

scenario::Scenario scenario(const std::string& path, const std::string& fabric,
                            const std::string& more = "") {
  const std::string text =
      fmt::format("workload: {{flexflow: {}}}\nfabric: {}\n{}", path, fabric, more);
  return scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front();
}

const std::string kSwitch = "{kind: switch, bandwidth: 100 Gbps, latency: 1 us}";

// At 100 Gbps 12.5 MB take 1 ms; from one server to the other and back are four hops.
TEST(TaskGraphStudy, IsReplayedWithTheLatencyOfEachHopInEachDirection) {
  const run::Report result = run::run(scenario(file_of("hops", small_graph()), kSwitch));
  const Duration transfer = 1_ms + 4_us;
  const Duration sum = 500_us + 2 * (1_ms + 4_us);
  EXPECT_EQ(result.time(), 1_ms + transfer + 2_ms + sum);
  EXPECT_EQ(result.devices, 2);
  EXPECT_EQ(report_json(result)["iteration_time"], result.time().count());
  EXPECT_EQ(compare_table({result}).columns.back(), "versus_best");
  EXPECT_EQ(compare_table({result}).columns[1], "iteration_time");
}

// Four servers with two ports: two rings of half the bandwidth carry half of the all-reduce each,
// as fast as one ring of the full bandwidth, and every server is within two hops.
TEST(TaskGraphStudy, ATopologyGetsRingsForItsAllReduces) {
  const foreign::FlexGraph graph = {
      .nodes = 4, .tasks = {{.type = 6, .id = 1, .size = 100'000'000, .next = {0, 1, 2, 3}}}};
  const run::Report result = run::run(scenario(
      file_of("rings", graph), "{kind: topoopt, split: rule, degree: 2, bandwidth: 100 Gbps}"));
  EXPECT_EQ(result.time(), 12_ms);  // 2 · 3/4 of 100 MB at 100 Gbps
  ASSERT_TRUE(result.circuits);
  EXPECT_EQ(result.circuits->ring_ports, 2);
  EXPECT_LE(result.circuits->diameter, 2);
}

// Eight all-reduces of 10 MB carry 60 MB each: at 4 · 100 Gbps they take 9.6 ms. Transfers inside
// servers are on separate devices, which have no links.
TEST(TaskGraphStudy, ATopologyIsBoundByTheLinksOfServers) {
  foreign::FlexGraph graph = {.nodes = 4, .tasks = {}};
  for (std::uint64_t id = 1; id <= 8; ++id) {
    graph.tasks.push_back(
        {.type = 6, .id = id, .runtime = 0.5, .size = 10'000'000, .next = {0, 1, 2, 3}});
  }
  const run::Report result = run::run(
      scenario(file_of("bound", graph), "{kind: topoopt, split: rule, bandwidth: 100 Gbps}"));
  ASSERT_TRUE(result.bound);
  EXPECT_NEAR(static_cast<double>(result.bound->time().count()), 9.6e9, 1e3);
  EXPECT_NEAR(run::gap(result.time(), result.bound->time()), 1.052, 1e-3);
}

TEST(TaskGraphStudy, UsesTheLatencyOfLinksAsGiven) {
  const std::string path = file_of("links", small_graph());
  const run::Report tree =
      run::run(scenario(path, "{kind: fat_tree, radix: 4, bandwidth: 100 Gbps, latency: 1 us}"));
  EXPECT_EQ(tree.time(), run::run(scenario(path, kSwitch)).time()) << "two links under one switch";
  const run::Report mesh =
      run::run(scenario(path, "{kind: full_mesh, bandwidth: 100 Gbps, latency: 2 us}"));
  EXPECT_EQ(mesh.time(), tree.time());
}

TEST(TaskGraphStudy, MayHaveMoreServersThanTheGraph) {
  const std::string path = file_of("more", small_graph());
  const run::Report result = run::run(scenario(path, kSwitch, "gpus: 5\n"));
  EXPECT_EQ(result.devices, 5);
  EXPECT_EQ(result.time(), run::run(scenario(path, kSwitch)).time());
  EXPECT_EQ(
      message([&] { run::run(scenario(path, kSwitch, "gpus: 1\n")); }),
      "s.yaml:3: scenario.gpus is 1; at least 2 are needed, one per server of the task graph");
}

TEST(TaskGraphStudy, IsReplayedOnCircuits) {
  const std::string path = file_of("circuits", small_graph());
  for (const std::string fabric :
       {"{kind: sip_ring, bandwidth: 100 Gbps}", "{kind: torus, shape: 2x1, bandwidth: 50 Gbps}"}) {
    const run::Report result = run::run(scenario(path, fabric));
    EXPECT_FALSE(result.infeasible) << fabric;
    EXPECT_FALSE(result.outcome.deadlock.has_value()) << fabric;
    EXPECT_GT(result.time(), 4_ms) << fabric;
  }
}

TEST(TaskGraphStudy, IsExportedAsItWasRead) {
  const scenario::Scenario from = scenario(file_of("from", small_graph()), kSwitch);
  const run::ExportedGraph exported = run::export_task_graph(from, {});
  EXPECT_EQ(exported.servers, 2);
  const std::string path = ::testing::TempDir() + "exported.fbuf";
  write_file(path, exported.content);
  EXPECT_EQ(run::run(scenario(path, kSwitch)).time(), run::run(from).time());
}

TEST(TaskGraphStudy, AJobIsExportedAsOneIteration) {
  const auto exported = [](const std::string& iterations) {
    const std::string text =
        "workload: {model: transformer, layers: 2, hidden: 64, heads: 4, vocabulary: 256, "
        "sequence: 16, batch: 8, tensor: 2, pipeline: 2, data: 1, micro_batch: 4, iterations: " +
        iterations + "}\ngpus: 4\naccelerator: a100\nfabric: " + kSwitch + "\n";
    return run::export_task_graph(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front(),
                                  {})
        .content;
  };
  EXPECT_EQ(exported("2"), exported("1"));
  EXPECT_EQ(exported("3"), exported("1"));
}

TEST(TaskGraphStudy, CanBeReplacedByADumpedWorkload) {
  const scenario::Scenario from = scenario(file_of("dumped", small_graph()), kSwitch);
  const std::string path = ::testing::TempDir() + "dumped.yaml";
  write_file(path, to_text(run::plan_or_refuse(from, {}, {}).workload));
  run::RunOptions options;
  options.replacements.workload = path;
  EXPECT_EQ(run::run(from, options).time(), run::run(from).time());
  write_file(path, "devices: 3\noperations:\n  - {message: 0 -> 2, size: 1 B}\n");
  EXPECT_EQ(
      message([&] { run::run(from, options); }),
      "--from workload=" + path + ": device 2 sends or receives; the task graph has 2 servers");
}

}  // namespace
}  // namespace loom::report
