// Messages and collectives in the fluid engine, on networks small enough to compute by hand.
#include "loom/simulate/fluid.h"

#include <gtest/gtest.h>

#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

fabric::Network gigabit_switch(int devices, const std::string& latency = "0 us") {
  return fabric::fabric_of("kind: switch, bandwidth: 1 Gbps, latency: " + latency, devices);
}

std::string told(const workload::Workload& workload, const fabric::Network& network,
                 bool with_loads = false, const std::vector<LinkChange>& changes = {}) {
  Recorder recorder;
  recorder.with_loads = with_loads;
  run_fluid(workload, network, changes, transport::Sharing::fair, &recorder);
  return recorder.text;
}

TEST(Fluid, AMessageTakesItsLatencyAndThenItsTransfer) {
  const workload::Workload workload = workload_of(2, {"message: 0 -> 1, size: 125 B"});
  EXPECT_EQ(ends_of(workload, gigabit_switch(2, "3 us")), Durations{4_us});
}

TEST(Fluid, MessagesIntoOneDeviceShareItsLink) {
  const workload::Workload workload =
      workload_of(3, {"message: 0 -> 2, size: 125 B", "message: 1 -> 2, size: 250 B"});
  EXPECT_EQ(ends_of(workload, gigabit_switch(3)), (Durations{2_us, 3_us}));
}

TEST(Fluid, AMessageSharesLinksOnlyAfterItsLatency) {
  const workload::Workload workload =
      workload_of(3, {"message: 0 -> 2, size: 125 B", "message: 1 -> 2, size: 125 B, start: 1 us"});
  EXPECT_EQ(ends_of(workload, gigabit_switch(3, "5 us")), (Durations{6_us, 7_us}));
}

TEST(Fluid, WeightsShareALinkSixtyToForty) {
  const workload::Workload workload = workload_of(
      3, {"message: 0 -> 2, size: 600 B, weight: 60", "message: 1 -> 2, size: 800 B, weight: 40"});
  // Both for 8 us, which moves 600 B and 400 B; then only the second.
  EXPECT_EQ(ends_of(workload, gigabit_switch(3), {}, transport::Sharing::weighted),
            (Durations{8_us, 11200_ns}));
}

TEST(Fluid, FairSharingIgnoresWeights) {
  const workload::Workload workload = workload_of(
      3, {"message: 0 -> 2, size: 125 B, weight: 60", "message: 1 -> 2, size: 125 B, weight: 40"});
  EXPECT_EQ(ends_of(workload, gigabit_switch(3)), (Durations{2_us, 2_us}));
}

TEST(Fluid, TheWeightOfACollectiveAppliesToEachOfItsMessages) {
  const workload::Workload workload =
      workload_of(3, {"collective: point_to_point, size: 300 B, ranks: '0,2', weight: 3",
                      "message: 1 -> 2, size: 100 B"});
  EXPECT_EQ(ends_of(workload, gigabit_switch(3), {}, transport::Sharing::weighted),
            (Durations{3200_ns, 3200_ns}));
}

TEST(Fluid, AMessageOfNoBytesTakesItsLatency) {
  const workload::Workload workload = workload_of(
      2, {"name: a, message: 0 -> 1, size: 0 B", "message: 1 -> 0, size: 0 B, after: a"});
  EXPECT_EQ(ends_of(workload, gigabit_switch(2, "3 us")), (Durations{3_us, 6_us}));
}

TEST(Fluid, ARecordSpansLatencyAndTransferWhateverTheSize) {
  const workload::Workload workload = workload_of(
      2, {"message: 0 -> 1, size: 125 B, start: 1 us", "message: 1 -> 0, size: 0 B, start: 1 us"});
  EXPECT_EQ(told(workload, gigabit_switch(2, "3 us")),
            "#1 1->0 0 B: 1 us to 4 us\n"
            "#0 0->1 125 B: 1 us to 5 us\n");
}

TEST(Fluid, AChannelSendsItsChunksOneAfterAnotherAndTheirLatenciesOverlap) {
  const workload::Workload workload =
      workload_of(2, {"collective: point_to_point, size: 500 B, chunks: 4, ranks: 0-1"});
  EXPECT_EQ(told(workload, gigabit_switch(2, "3 us")),
            "#0 0->1 125 B: 0 ps to 4 us\n"
            "#0 0->1 125 B: 1 us to 5 us\n"
            "#0 0->1 125 B: 2 us to 6 us\n"
            "#0 0->1 125 B: 3 us to 7 us\n");
}

TEST(Fluid, AMessageMayHaveMoreChunksThanBytes) {
  const workload::Workload workload =
      workload_of(2, {"collective: point_to_point, size: 2 B, chunks: 5, ranks: 0-1"});
  const Outcome outcome = run_fluid(workload, gigabit_switch(2, "3 us"));
  EXPECT_EQ(outcome.messages, 5);
  EXPECT_EQ(outcome.bytes, 2_B);
  EXPECT_EQ(outcome.completion_time, 3016_ns);
}

TEST(Fluid, CollectivesInFlightShareTheLinks) {
  // Two rings over the same devices at once take twice as long as one.
  const std::string ring = "collective: all_reduce, algorithm: ring, size: 500 B, ranks: 0-3";
  EXPECT_EQ(ends_of(workload_of(4, {ring}), gigabit_switch(4)), Durations{6_us});
  EXPECT_EQ(ends_of(workload_of(4, {ring, ring}), gigabit_switch(4)), (Durations{12_us, 12_us}));
}

TEST(Fluid, ACollectiveSharesALinkWithAMessage) {
  EXPECT_EQ(ends_of(workload_of(3, {"collective: point_to_point, size: 250 B, ranks: '0,2'",
                                    "message: 1 -> 2, size: 125 B"}),
                    gigabit_switch(3)),
            (Durations{3_us, 2_us}));
}

TEST(Fluid, EqualCollectivesOverGroupsOfDifferentSizesAreDifferentWork) {
  const std::string ring = "collective: all_reduce, algorithm: ring, size: 1 kB, ranks: ";
  EXPECT_EQ(ends_of(workload_of(12, {ring + "0-3", ring + "4-11"}), gigabit_switch(12)),
            (Durations{12_us, 14_us}));
  EXPECT_EQ(ends_of(workload_of(12, {ring + "4-11", ring + "0-3"}), gigabit_switch(12)),
            (Durations{14_us, 12_us}));
}

TEST(Fluid, ACollectiveOfOneRankIsDoneAtOnce) {
  EXPECT_EQ(ends_of(workload_of(1, {"collective: all_reduce, size: 1 kB, ranks: 0, start: 2 us"}),
                    gigabit_switch(1)),
            Durations{2_us});
}

TEST(Fluid, BytesAreCountedOnEveryLinkOfTheRoute) {
  const workload::Workload workload =
      workload_of(3, {"message: 0 -> 2, size: 125 B", "message: 1 -> 2, size: 250 B"});
  const Outcome outcome = run_fluid(workload, gigabit_switch(3));
  EXPECT_EQ(outcome.messages, 2);
  EXPECT_EQ(outcome.bytes, 375_B);
  EXPECT_EQ(outcome.link_bytes, (std::vector<Bytes>{125_B, 0_B, 250_B, 0_B, 0_B, 375_B}));
}

TEST(Fluid, LoadsAreReportedFromTimeZeroOn) {
  const workload::Workload workload =
      workload_of(3, {"message: 0 -> 2, size: 125 B", "message: 1 -> 2, size: 250 B"});
  EXPECT_EQ(told(workload, gigabit_switch(3), true),
            "link 0 at 0 ps: 500 Mbps\n"
            "link 5 at 0 ps: 1 Gbps\n"
            "link 2 at 0 ps: 500 Mbps\n"
            "#0 0->2 125 B: 0 ps to 2 us\n"
            "link 0 at 2 us: 0 bps\n"
            "link 5 at 2 us: 1 Gbps\n"
            "link 2 at 2 us: 1 Gbps\n"
            "#1 1->2 250 B: 0 ps to 3 us\n"
            "link 2 at 3 us: 0 bps\n"
            "link 5 at 3 us: 0 bps\n");
}

TEST(Fluid, AFullLinkIsReportedFullHoweverItIsShared) {
  const workload::Workload workload =
      workload_of(4, {"message: 0 -> 3, size: 125 B", "message: 1 -> 3, size: 125 B",
                      "message: 2 -> 3, size: 125 B"});
  EXPECT_NE(told(workload, gigabit_switch(4), true).find("link 7 at 0 ps: 1 Gbps\n"),
            std::string::npos);
}

// Both become ready at 10 us on device 0, the second one first: the message it waits for is handled
// before the computation that the first one waits for.
TEST(Fluid, ComputationsThatBecomeReadyTogetherRunInWorkloadOrder) {
  const workload::Workload workload = workload_of(
      2, {"name: long, compute: 10 us, device: 0", "name: sent, message: 1 -> 0, size: 1250 B",
          "compute: 5 us, device: 0, after: long", "compute: 1 us, device: 0, after: sent"});
  EXPECT_EQ(ends_of(workload, gigabit_switch(2)), (Durations{10_us, 10_us, 15_us, 16_us}));
}

}  // namespace
}  // namespace loom::simulate
