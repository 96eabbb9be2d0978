// Dependencies as seen through the engine: on a gigabit switch without latency a message of 125 B
// takes 1 us.
#include "loom/simulate/readiness.h"

#include <gtest/gtest.h>

#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

fabric::Network gigabit_switch(int devices) {
  return fabric::fabric_of("kind: switch, bandwidth: 1 Gbps", devices);
}

Durations ends(int devices, const std::vector<std::string>& operations,
               const std::string& groups = "") {
  return ends_of(workload_of(devices, operations, groups), gigabit_switch(devices));
}

TEST(Readiness, AnOperationWithoutDependenciesBeginsAtOnce) {
  EXPECT_EQ(ends(4, {"message: 0 -> 1, size: 125 B", "message: 2 -> 3, size: 250 B",
                     "compute: 5 us, device: 0"}),
            (Durations{1_us, 2_us, 5_us}));
}

TEST(Readiness, AStartTimeDelaysAnOperation) {
  EXPECT_EQ(ends(2, {"message: 0 -> 1, size: 125 B, start: 3 us",
                     "compute: 1 us, device: 0, start: 7 us"}),
            (Durations{4_us, 8_us}));
}

TEST(Readiness, AStartTimeAndADependencyBothDelayAnOperation) {
  EXPECT_EQ(ends(2, {"name: first, compute: 5 us, device: 0",
                     "compute: 1 us, device: 0, start: 3 us, after: first",
                     "compute: 1 us, device: 0, start: 9 us, after: first"}),
            (Durations{5_us, 6_us, 10_us}));
}

TEST(Readiness, AMessageEndsForBothItsEndsWhenItIsDelivered) {
  EXPECT_EQ(ends(2, {"name: m, message: 0 -> 1, size: 125 B", "compute: 1 us, device: 0, after: m",
                     "compute: 2 us, device: 1, after: m"}),
            (Durations{1_us, 2_us, 3_us}));
}

TEST(Readiness, AMessageWaitsAtItsSourceOnly) {
  EXPECT_EQ(ends(2, {"compute: 9 us, device: 1", "message: 0 -> 1, size: 125 B"}),
            (Durations{9_us, 1_us}));
}

// Device 0 finishes its task of the group's computation long before device 1 begins its own.
TEST(Readiness, WaitingIsLocal) {
  const std::string groups = "groups: [{name: both, members: 0-1}]\n";
  EXPECT_EQ(ends(2,
                 {"compute: 10 us, device: 1", "name: step, compute: 2 us, groups: both",
                  "name: next, compute: 3 us, groups: both, after: step"},
                 groups),
            (Durations{10_us, 12_us, 15_us}));
  EXPECT_EQ(ends(2,
                 {"compute: 10 us, device: 1", "name: step, compute: 2 us, groups: both",
                  "message: 0 -> 1, size: 125 B, after: step"},
                 groups),
            (Durations{10_us, 12_us, 3_us}));
}

TEST(Readiness, ADeviceWithoutATaskWaitsForTheEntireOperation) {
  EXPECT_EQ(ends(3,
                 {"compute: 10 us, device: 1", "name: step, compute: 2 us, groups: both",
                  "compute: 3 us, device: 2, after: step"},
                 "groups: [{name: both, members: 0-1}]\n"),
            (Durations{10_us, 12_us, 15_us}));
}

TEST(Readiness, ARankContinuesWhenItsOwnTaskInACollectiveIsDone) {
  // A chain 0 -> 1 -> 2: rank 0 is done after its one message.
  EXPECT_EQ(
      ends(3, {"name: all, collective: broadcast, algorithm: ring, size: 125 B, ranks: 0-2",
               "compute: 1 us, device: 0, after: all", "compute: 1 us, device: 2, after: all"}),
      (Durations{2_us, 2_us, 3_us}));
}

TEST(Readiness, ALateRankDelaysOnlyItsDependents) {
  EXPECT_EQ(
      ends(3, {"name: late, compute: 9 us, device: 1",
               "collective: broadcast, algorithm: ring, size: 125 B, ranks: 0-2, after: late"}),
      (Durations{9_us, 11_us}));
  EXPECT_EQ(ends(2, {"name: late, compute: 9 us, device: 1",
                     "name: p, collective: point_to_point, size: 125 B, ranks: 0-1",
                     "compute: 1 us, device: 0, after: p"}),
            (Durations{9_us, 1_us, 2_us}));
}

TEST(Readiness, ConcurrentGroupsDoNotWaitForEachOther) {
  EXPECT_EQ(ends(4,
                 {"compute: 9 us, device: 3", "name: step, compute: 1 us, groups: pairs",
                  "name: all, collective: broadcast, algorithm: ring, size: 125 B, groups: pairs, "
                  "after: step",
                  "compute: 1 us, device: 1, after: all"},
                 "groups: [{name: pairs, size: 2, members: 0-3}]\n"),
            (Durations{9_us, 10_us, 10_us, 3_us}));
}

TEST(Readiness, TheDestinationOfAPointToPointWaitsOnlyForItsSource) {
  EXPECT_EQ(ends(4,
                 {"compute: 9 us, device: 3", "name: step, compute: 1 us, groups: pairs",
                  "name: all, collective: point_to_point, size: 125 B, groups: pairs, after: step",
                  "compute: 1 us, device: 1, after: all"},
                 "groups: [{name: pairs, size: 2, members: 0-3}]\n"),
            (Durations{9_us, 10_us, 2_us, 3_us}));
}

TEST(Readiness, ADeviceRunsOneComputationAtATimeInTheOrderTheyBecameReady) {
  EXPECT_EQ(ends(1, {"compute: 5 us, device: 0", "compute: 3 us, device: 0, start: 2 us",
                     "compute: 1 us, device: 0, start: 1 us"}),
            (Durations{5_us, 9_us, 6_us}));
}

TEST(Readiness, ComputationAndCommunicationOverlap) {
  EXPECT_EQ(ends(2, {"compute: 5 us, device: 0", "message: 0 -> 1, size: 125 B"}),
            (Durations{5_us, 1_us}));
}

TEST(Readiness, AReceiveEndsWithItsMessage) {
  EXPECT_EQ(ends(2, {"message: 0 -> 1, size: 125 B", "name: r, receive: 0 -> 1",
                     "compute: 1 us, device: 1, after: r"}),
            (Durations{1_us, 1_us, 2_us}));
}

TEST(Readiness, TheSecondReceiveWaitsForTheSecondMessageInTheOrderWritten) {
  EXPECT_EQ(ends(2, {"message: 0 -> 1, size: 125 B, start: 10 us", "message: 0 -> 1, size: 125 B",
                     "receive: 0 -> 1", "receive: 0 -> 1"}),
            (Durations{11_us, 1_us, 11_us, 1_us}));
}

TEST(Readiness, AReceiveWaitsForItsDependenciesToo) {
  EXPECT_EQ(ends(2, {"message: 0 -> 1, size: 125 B", "name: busy, compute: 5 us, device: 1",
                     "receive: 0 -> 1, after: busy"}),
            (Durations{1_us, 5_us, 5_us}));
}

TEST(Readiness, TheOrderOfRanksNeedNotBeThatOfDevices) {
  EXPECT_EQ(
      ends(4, {"name: all, collective: broadcast, algorithm: ring, size: 125 B, ranks: '3,0,2'",
               "compute: 1 us, device: 3, after: all", "compute: 1 us, device: 0, after: all",
               "compute: 1 us, device: 1, after: all"}),
      (Durations{2_us, 2_us, 3_us, 3_us}));
}

// A table of groups by devices would have almost a billion entries.
TEST(Readiness, ManyDevicesWithSeparateOperationsNeedLittleMemory) {
  constexpr int kDevices = 30'000;
  workload::Workload workload;
  workload.devices = kDevices;
  for (int device = 0; device < kDevices; ++device) {
    workload.groups.push_back({1, {device}});
    workload.operations.push_back(
        {.kind = workload::OperationKind::compute, .groups = device, .time = 1_us});
  }
  EXPECT_EQ(run_fluid(workload, gigabit_switch(kDevices)).completion_time, 1_us);
}

TEST(Readiness, NamingADependencyTwiceIsTheSameAsOnce) {
  EXPECT_EQ(ends(1, {"name: a, compute: 2 us, device: 0", "compute: 1 us, device: 0, after: a a"}),
            (Durations{2_us, 3_us}));
}

TEST(Readiness, OperationsThatTakeNoTimeStillKeepTheOrder) {
  EXPECT_EQ(ends(2, {"name: c, compute: 0 us, device: 0, after: b",
                     "name: a, compute: 0 us, device: 0, start: 1 us",
                     "name: b, message: 0 -> 1, size: 0 B, after: a"}),
            (Durations{1_us, 1_us, 1_us}));
}

}  // namespace
}  // namespace loom::simulate
