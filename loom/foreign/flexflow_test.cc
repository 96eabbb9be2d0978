#include "loom/foreign/flexflow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/foreign/testing.h"
#include "loom/workload/endpoints.h"

namespace loom::foreign {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// Two servers with one GPU each (devices 10 and 11) and the link from server 0 to 1 (device 20).
FlexGraph two_servers(std::vector<FlexTask> tasks) {
  return {.tasks = std::move(tasks),
          .devices = {{.type = 0, .id = 10, .node = 0},
                      {.type = 0, .id = 11, .node = 1},
                      {.type = 14, .id = 20, .node = ~std::uint64_t{0}, .property = 1}}};
}

TaskGraph parsed(const FlexGraph& graph) { return parse_flexflow(flexflow_file(graph), "g.fbuf"); }

std::string refusal(const FlexGraph& graph) {
  return message([&] { parsed(graph); });
}

Bytes sent(const workload::Workload& workload) {
  Bytes sum;
  for (const workload::Operation& it : workload.operations) sum += it.size;
  return sum;
}

workload::Workload all_reduce(std::uint64_t size, const std::vector<std::uint64_t>& servers,
                              float runtime = 0) {
  const TaskGraph graph =
      parsed({.nodes = 4,
              .tasks = {{.type = 6, .id = 1, .runtime = runtime, .size = size, .next = servers}}});
  return to_workload(graph, graph.nodes);
}

TEST(FlexFlow, ATransferEndsWhenItIsAcknowledged) {
  const TaskGraph graph = parsed(
      two_servers({{.type = 0, .id = 1, .device = 10, .runtime = 1.5, .next = {2}},
                   {.type = 5, .id = 2, .device = 20, .runtime = 9, .size = 4096, .next = {3}},
                   {.type = 1, .id = 3, .device = 11, .runtime = 0.25}}));
  EXPECT_EQ(to_text(to_workload(graph, 2)), R"(devices: 2
groups:
  - {name: g0, size: 1, members: 0}
  - {name: g1, size: 1, members: 1}
operations:
  - {name: forward0, compute: 1500 us, groups: g0}
  - {name: transfer1, message: "0 -> 1", size: 4096 B, after: forward0}
  - {name: transfer1.acknowledged, message: "1 -> 0", size: 0 B, after: transfer1}
  - {name: backward2, compute: 250 us, groups: g1, after: transfer1.acknowledged}
)");
}

TEST(FlexFlow, AnAllReduceRunsInsideTheServersAndThenInRounds) {
  const workload::Workload workload = all_reduce(4'000'000, {0, 1, 2, 3}, 2);
  const std::size_t rounds = 6;
  EXPECT_EQ(workload.operations.size(), 1 + rounds * 8 + (rounds - 1));
  EXPECT_EQ(sent(workload), 24_MB);
  EXPECT_EQ(workload.operations[0].time, 2_ms);
  EXPECT_EQ(workload.devices, 5) << "no server computes during the time inside the servers";
  EXPECT_EQ(endpoints(workload), 4);
}

TEST(FlexFlow, BytesThatDoNotDivideAreAllSent) {
  EXPECT_EQ(sent(all_reduce(40'001, {0, 1, 2})), Bytes{160'004});
}

TEST(FlexFlow, ATinyAllReduceIsOneRoundOfNoBytes) {
  const workload::Workload workload = all_reduce(35'999, {3, 1, 0, 2});
  EXPECT_EQ(workload.operations.size(), 1 + 8U);
  EXPECT_EQ(sent(workload), Bytes{0});
  EXPECT_EQ(workload.operations[1].source, 3);
  EXPECT_EQ(workload.operations[1].destination, 1);
  EXPECT_GT(sent(all_reduce(36'000, {3, 1, 0, 2})), Bytes{0});
}

TEST(FlexFlow, AnAllReduceOfOneServerSendsNothing) {
  const workload::Workload workload = all_reduce(10'000'000, {2}, 3);
  EXPECT_EQ(workload.operations.size(), 1U);
  EXPECT_EQ(workload.operations[0].time, 3_ms);
}

TEST(FlexFlow, IfTheFabricChoosesRingsOnlyATinyAllReduceIsNoCollective) {
  const TaskGraph graph =
      parsed({.nodes = 3,
              .tasks = {{.type = 6, .id = 1, .runtime = 2, .size = 3'000'000, .next = {2, 0, 1}},
                        {.type = 6, .id = 2, .size = 6'000'000, .next = {2, 0, 1}},
                        {.type = 6, .id = 3, .size = 100, .next = {0, 1}}}});
  const workload::Workload workload = to_workload(graph, 3, AllReduces::collectives);
  EXPECT_EQ(workload.operations.size(), 2 + 2 + 1 + 4U);
  ASSERT_EQ(workload.collectives.size(), 2U);
  EXPECT_EQ(workload.collectives[1].size, 6_MB);
  const workload::Operation& first = workload.operations[1];
  EXPECT_EQ(first.kind, workload::OperationKind::collective);
  EXPECT_EQ(workload.groups[static_cast<std::size_t>(first.groups)].members,
            (std::vector<int>{2, 0, 1}));
  EXPECT_EQ(workload.operations[3].groups, first.groups);
  EXPECT_EQ(workload.waits_for(1).front(), 0U);
}

TEST(FlexFlow, FurtherDevicesOfAServerComputeOnTheirOwn) {
  FlexGraph graph = two_servers({{.id = 1, .device = 10, .runtime = 1},
                                 {.id = 2, .device = 12, .runtime = 1},
                                 {.type = 2, .id = 3, .device = 13, .size = 1000}});
  graph.devices.push_back({.type = 0, .id = 12, .node = 0});
  graph.devices.push_back({.type = 12, .id = 13, .node = 0, .bandwidth = 1000});
  const workload::Workload workload = to_workload(parsed(graph), 2);
  EXPECT_EQ(workload.devices, 4);
  EXPECT_EQ(workload.groups[1].members, std::vector<int>{2});
  EXPECT_EQ(workload.operations[2].time, 1_ms) << "from its bytes, because it has no runtime";
}

TEST(FlexFlow, ATaskOfZeroTimeStillOccupiesItsDeviceUnlessItIsABarrier) {
  const TaskGraph graph = parsed(two_servers({{.type = 3, .id = 1, .device = 10, .next = {2, 3}},
                                              {.type = 4, .id = 2, .device = 10},
                                              {.type = 4, .id = 3, .device = 77}}));
  const workload::Workload workload = to_workload(graph, 2);
  EXPECT_EQ(workload.operations[0].time, Duration(1));
  EXPECT_EQ(workload.operations[1].time, Duration(0));
  EXPECT_EQ(workload.operations[2].time, Duration(0));
}

TEST(FlexFlow, ATransferThatStaysInItsServerCrossesNoNetwork) {
  FlexGraph graph = two_servers({{.type = 5, .id = 1, .device = 21, .size = 5}});
  graph.devices.push_back({.type = 14, .id = 21, .property = 1 * 3 + 1});
  EXPECT_EQ(endpoints(to_workload(parsed(graph), 2)), 0);
}

TEST(FlexFlow, InvalidTasksAreRefused) {
  const std::string format =
      "g.fbuf: the file is not a FlexFlow task graph; a FlatBuffers table TaskGraph is needed";
  for (const std::string& content : {std::string(), std::string("x"), std::string(400, '\xff')}) {
    EXPECT_EQ(message([&] { parse_flexflow(content, "g.fbuf"); }), format);
  }
  EXPECT_EQ(refusal({}), "g.fbuf: there are 0 tasks; from 1 to 524288 are needed");
  EXPECT_EQ(refusal({.nodes = 0}), "g.fbuf: nnode is 0; from 1 to 524288 servers are needed");
  EXPECT_EQ(refusal({.nodes = 1 << 30}),
            "g.fbuf: nnode is 1073741824; from 1 to 524288 servers are needed");
  const auto task = [](const FlexTask& it) { return refusal(two_servers({it})); };
  EXPECT_EQ(task({.type = 7, .id = 5}), "g.fbuf: task 5 has type 7; 0 to 6 are known");
  EXPECT_EQ(task({.type = -1, .id = 5}), "g.fbuf: task 5 has type -1; 0 to 6 are known");
  EXPECT_EQ(task({.id = 5, .device = 3}),
            "g.fbuf: task 5 is on device 3, which does not exist; an existing device is needed");
  EXPECT_EQ(task({.id = 5, .device = 20}),
            "g.fbuf: task 5 computes on device 20, a network; a device of a server is needed");
  const auto runtime = [&](float it) { return task({.id = 5, .device = 10, .runtime = it}); };
  EXPECT_EQ(runtime(-1), "g.fbuf: task 5 has runtime -1; 0 to 1000000000 ms are possible");
  EXPECT_EQ(runtime(std::nanf("")),
            "g.fbuf: task 5 has runtime nan; 0 to 1000000000 ms are possible");
  EXPECT_EQ(runtime(std::numeric_limits<float>::infinity()),
            "g.fbuf: task 5 has runtime inf; 0 to 1000000000 ms are possible");
  EXPECT_EQ(task({.type = 5, .id = 5, .device = 20, .size = ~std::uint64_t{0}}),
            "g.fbuf: task 5 has xfersize 18446744073709551615; at most 1000000000000000 bytes are "
            "possible");
  FlexGraph slow = two_servers({{.type = 2, .id = 5, .device = 13, .size = 10'000'000'000'000}});
  slow.devices.push_back({.type = 12, .id = 13, .node = 0, .bandwidth = 1});
  EXPECT_EQ(refusal(slow),
            "g.fbuf: task 5 takes longer than 1000000000 ms to move 10000000000000 bytes on device "
            "13; fewer bytes, or more bandwidth, are needed");
  EXPECT_EQ(task({.id = 5, .device = 10, .next = {6}}),
            "g.fbuf: task 5 precedes task 6, which does not exist; an existing task is needed");
  EXPECT_EQ(task({.id = 5, .device = 10, .next = {5}}),
            "g.fbuf: task 5 waits for itself; a graph without cycles is needed");
  EXPECT_EQ(refusal(two_servers({{.id = 4, .device = 10, .next = {5}},
                                 {.id = 5, .device = 10, .next = {6}},
                                 {.id = 6, .device = 10, .next = {5}}})),
            "g.fbuf: task 5 waits for itself; a graph without cycles is needed");
  EXPECT_EQ(refusal(two_servers({{.id = 5, .device = 10}, {.id = 5, .device = 10}})),
            "g.fbuf: task 5 is listed twice; a unique id is needed");
}

TEST(FlexFlow, InvalidServersAreRefused) {
  const auto reduce = [](std::vector<std::uint64_t> servers) {
    return refusal(two_servers({{.type = 6, .id = 5, .size = 1, .next = std::move(servers)}}));
  };
  EXPECT_EQ(reduce({}), "g.fbuf: task 5 is an all-reduce without servers; at least one is needed");
  EXPECT_EQ(reduce({0, 2}),
            "g.fbuf: task 5 is an all-reduce with server 2; the servers are 0 to 1");
  EXPECT_EQ(reduce({0, 1, 0}),
            "g.fbuf: task 5 is an all-reduce with server 0 twice; distinct servers are needed");
  const auto device = [](const FlexDevice& it) {
    return refusal({.tasks = {{.type = 5, .id = 5, .device = it.id}}, .devices = {it}});
  };
  EXPECT_EQ(device({.type = 15, .id = 9}), "g.fbuf: device 9 has type 15; 0 to 14 are known");
  EXPECT_EQ(device({.type = 14, .id = 9, .property = 2}),
            "g.fbuf: device 9 has destination 2; the servers are 0 to 1");
  EXPECT_EQ(device({.type = 14, .id = 9, .property = ~std::uint64_t{0}}),
            "g.fbuf: device 9 has source 6148914691236517205; the servers are 0 to 1");
  EXPECT_EQ(device({.type = 12, .id = 9, .node = 7}),
            "g.fbuf: device 9 has nodeid 7; the servers are 0 to 1");
  EXPECT_EQ(
      device({.type = 12, .id = 9, .bandwidth = ~std::uint64_t{0}}),
      "g.fbuf: device 9 has bandwidth 18446744073709551615; at most 125000000000 bytes per ms "
      "are possible");
  FlexGraph twice = two_servers({{.id = 1, .device = 10}});
  twice.devices.push_back(twice.devices.front());
  EXPECT_EQ(refusal(twice), "g.fbuf: device 10 is listed twice; a unique id is needed");
}

TEST(FlexFlow, ManyLargeAllReducesAreRefusedBeforeTheyAreWrittenOut) {
  FlexGraph graph{.nodes = 2048};
  std::vector<std::uint64_t> all(2048);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  graph.tasks = {{.type = 6, .id = 1, .size = 1'000'000'000, .next = all}};
  EXPECT_EQ(refusal(graph),
            "g.fbuf: its all-reduces expand to 16773118 or more messages; at most 8388608 "
            "are possible");
}

// Every prefix of a file, and the file with any byte changed, is read or refused.
TEST(FlexFlow, ABrokenFileIsReadOrRefused) {
  const std::string whole =
      flexflow_file(two_servers({{.id = 1, .device = 10, .runtime = 1, .next = {2}},
                                 {.type = 5, .id = 2, .device = 20, .size = 10},
                                 {.type = 6, .id = 3, .size = 100'000, .next = {0, 1}}}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    message([&] { parse_flexflow(whole.substr(0, size), "g.fbuf"); });
  }
  std::set<std::string> said;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string broken = whole;
      broken[at] = static_cast<char>(broken[at] ^ change);
      said.insert(message([&] { parse_flexflow(broken, "g.fbuf"); }));
    }
  }
  EXPECT_THAT(said, Contains(HasSubstr("has misaligned nexttasks; an offset that is a multiple of "
                                       "8 is needed")));
}

}  // namespace
}  // namespace loom::foreign
