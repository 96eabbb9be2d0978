#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/testing.h"
#include "loom/foreign/flexflow.h"

namespace loom::foreign {
namespace {

TaskGraph exported(const std::string& text, int servers) {
  return to_task_graph(workload::parse_workload(text, "w.yaml"), servers, location_of("s.yaml", 1));
}

// Writes the graph to the bytes of a file and reads it back.
workload::Workload again(const TaskGraph& graph) {
  return to_workload(parse_flexflow(to_flexflow(graph), "again.fbuf"), graph.nodes);
}

std::string refusal(const std::string& operations) {
  return message([&] { exported("devices: 4\noperations:\n" + operations, 4); });
}

TEST(FlexFlowExport, ComputationsAndAcknowledgedMessagesComeBackTheSame) {
  const std::string text = R"(devices: 3
operations:
  - {compute: 1 ms, device: 0, name: forward0}
  - {message: 0 -> 1, size: 1 MB, name: transfer1, after: forward0}
  - {message: 1 -> 0, size: 0 B, name: transfer1.acknowledged, after: transfer1}
  - {compute: 0 s, device: 1, name: barrier2, after: forward0 transfer1.acknowledged}
  - {compute: 500 us, device: 2, name: forward3, after: barrier2}
)";
  EXPECT_EQ(to_text(again(exported(text, 3))),
            workload::to_text(workload::parse_workload(text, "w.yaml")));
}

TEST(FlexFlowExport, AnOperationOnManyDevicesIsATaskOnEach) {
  const TaskGraph graph = exported(R"(devices: 3
groups:
  - {name: all, members: 0-2}
operations:
  - {name: work, compute: 1 ms, groups: all}
  - {name: more, compute: 2 ms, groups: all, after: work}
)",
                                   3);
  ASSERT_EQ(graph.tasks.size(), 6U);
  for (int device = 0; device < 3; ++device) {
    EXPECT_EQ(graph.tasks[static_cast<std::size_t>(device)].next, std::vector<int>{device + 3});
  }
}

TEST(FlexFlowExport, ARingThatNothingWaitsForStaysAnAllReduce) {
  const TaskGraph graph = exported(R"(devices: 4
groups:
  - {name: pairs, size: 2, members: 0-3}
operations:
  - {name: work, compute: 1 ms, groups: pairs}
  - {name: sum, collective: all_reduce, algorithm: ring, size: 1 MB, groups: pairs, after: work}
)",
                                   4);
  ASSERT_EQ(graph.tasks.size(), 6U);
  EXPECT_EQ(graph.tasks[4],
            (GraphTask{.kind = TaskKind::all_reduce, .size = 1_MB, .next = {0, 1}}));
  EXPECT_EQ(graph.tasks[5].next, (std::vector<int>{2, 3}));
  EXPECT_EQ(graph.tasks[0].next, std::vector<int>{4});
  EXPECT_EQ(graph.tasks[3].next, std::vector<int>{5});
}

TEST(FlexFlowExport, OtherCollectivesAreTheirMessages) {
  const TaskGraph graph = exported(R"(devices: 3
operations:
  - {name: tokens, collective: all_to_all, algorithm: direct, ranks: 0-2, size: 3 MB}
  - {name: work, compute: 1 ms, device: 0, after: tokens}
)",
                                   3);
  std::int64_t transfers = 0;
  for (const GraphTask& it : graph.tasks) {
    if (it.kind == TaskKind::nominal_communication) transfers += it.size == 1_MB ? 1 : 0;
  }
  EXPECT_EQ(transfers, 6);
}

TEST(FlexFlowExport, ARingThatIsWaitedForBecomesASequenceOfMessages) {
  const TaskGraph graph = exported(R"(devices: 2
operations:
  - {name: sum, collective: all_reduce, algorithm: ring, ranks: 0-1, size: 2 MB}
  - {name: work, compute: 1 ms, device: 0, after: sum}
)",
                                   2);
  std::vector<std::size_t> sent;
  for (std::size_t i = 0; i < graph.tasks.size(); ++i) {
    if (graph.tasks[i].kind == TaskKind::nominal_communication) sent.push_back(i);
  }
  ASSERT_EQ(sent.size(), 4U);  // two steps per rank
  const std::vector<int>& next = graph.tasks[sent[0]].next;
  EXPECT_EQ(std::count(next.begin(), next.end(), static_cast<int>(sent[1])), 1);
}

TEST(FlexFlowExport, DevicesBeyondTheNetworkBelongToServer0) {
  const TaskGraph graph = exported("devices: 3\noperations:\n  - {compute: 1 ms, device: 2}\n", 2);
  EXPECT_EQ(graph.devices.back().node, 0);
  EXPECT_EQ(graph.nodes, 2);
}

TEST(FlexFlowExport, AWorkloadThatATaskGraphCannotExpressIsRefused) {
  EXPECT_EQ(refusal("  - {name: late, compute: 1 ms, device: 0, start: 3 ms}\n"),
            "s.yaml:1: operation late@0 starts at 3 ms; a task graph has no clock");
  EXPECT_EQ(refusal("  - {name: heavy, message: 0 -> 1, size: 1 B, weight: 2}\n"),
            "s.yaml:1: operation heavy has weight 2; a task graph has none");
}

TEST(FlexFlowExport, ACycleOfOperationsIsRefused) {
  EXPECT_EQ(refusal("  - {name: a, compute: 0 s, device: 0, after: b}\n"
                    "  - {name: b, compute: 0 s, device: 0, after: a}\n"),
            "s.yaml:1: operation a@0 waits for itself; a task graph must be acyclic");
}

}  // namespace
}  // namespace loom::foreign
