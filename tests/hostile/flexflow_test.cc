// Invalid task graphs. loom/foreign/flexflow_test.cc tests the range of each number.
#include "loom/foreign/testing.h"
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::vector<std::string> kReplay = {"simulate", "--flexflow",  "g.fbuf", "--fabric",
                                          "switch",   "--bandwidth", "1Gbps"};

Hostile content(const std::string& name, const std::string& bytes, const std::string& message) {
  return {name, {{"g.fbuf", bytes}}, kReplay, "g.fbuf: " + message};
}

Hostile graph(const std::string& name, const foreign::FlexGraph& written,
              const std::string& message) {
  return content(name, flexflow_file(written), message);
}

// A task graph on two servers with one GPU each, devices 10 and 11.
Hostile tasks(const std::string& name, std::vector<foreign::FlexTask> written,
              const std::string& message) {
  return graph(
      name,
      {.tasks = std::move(written), .devices = {{.id = 10, .node = 0}, {.id = 11, .node = 1}}},
      message);
}

const std::string kNone =
    "the file is not a FlexFlow task graph; a FlatBuffers table TaskGraph is needed";

const std::vector<Hostile> kTaskGraphs = {
    content("nothing", "", kNone),
    content("text", "workload: {}\n", kNone),
    content("half_a_file", foreign::flexflow_file({.tasks = {{.id = 1}}}).substr(0, 60), kNone),
    graph("no_tasks", {}, "there are 0 tasks; from 1 to 524288 are needed"),
    graph("no_servers", {.nodes = 0}, "nnode is 0; from 1 to 524288 servers are needed"),
    tasks("a_device_that_is_not_there", {{.id = 1, .device = 12}},
          "task 1 is on device 12, which does not exist; an existing device is needed"),
    tasks("a_time_below_zero", {{.id = 1, .device = 10, .runtime = -2}},
          "task 1 has runtime -2; 0 to 1000000000 ms are possible"),
    tasks("a_circle", {{.id = 1, .device = 10, .next = {2}}, {.id = 2, .device = 11, .next = {1}}},
          "task 2 waits for itself; a graph without cycles is needed"),
    tasks("an_all_reduce_with_a_stranger", {{.type = 6, .id = 1, .next = {0, 2}}},
          "task 1 is an all-reduce with server 2; the servers are 0 to 1"),
    {"no_file", {}, kReplay, "--flexflow g.fbuf: cannot read 'g.fbuf': No such file or directory"},
    {"both_a_scenario_and_a_task_graph",
     {{"s.yaml", ""}},
     {"simulate", "s.yaml", "--flexflow", "g.fbuf"},
     "command line: one of SCENARIO, --rostam and --flexflow is needed"},
    {"a_batch_of_a_task_graph",
     {},
     {"simulate", "--flexflow", "g.fbuf", "--batch", "4", "--fabric", "switch", "--bandwidth",
      "1Gbps"},
     "--batch 4: workload.batch is 4; it belongs to a model or to profiles, and there are none"},
};

const std::string kFlows = "workload: {flows: f.csv}\nfabric: {kind: switch, bandwidth: 1 Gbps}\n";

const std::vector<Hostile> kExports = {
    {"a_start",
     {{"f.csv", "start,source,destination,size\n2 ms,0,1,1 MB\n"}, {"s.yaml", kFlows}},
     {"export", "s.yaml", "--flexflow", "g.fbuf"},
     "s.yaml:1: operation #0 starts at 2 ms; a task graph has no clock"},
    {"nowhere_to_write",
     {{"f.csv", "start,source,destination,size\n0 s,0,1,1 MB\n"}, {"s.yaml", kFlows}},
     {"export", "s.yaml"},
     "--flexflow is required; see 'lightloom export --help'"},
};

INSTANTIATE_TEST_SUITE_P(TaskGraph, Broken, ::testing::ValuesIn(kTaskGraphs), name_of);
INSTANTIATE_TEST_SUITE_P(Export, Broken, ::testing::ValuesIn(kExports), name_of);

}  // namespace
}  // namespace loom::testing
