// Collectives share links by streams: what a device sends at once over a link counts as one flow.
#include "loom/simulate/streams.h"

#include <gtest/gtest.h>

#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

using transport::Sharing;

fabric::Network gigabit_switch(int devices) {
  return fabric::fabric_of("kind: switch, bandwidth: 1 Gbps, latency: 0 us", devices);
}

// Rates of weighted messages are rounded down.
void expect_near(Duration time, Duration expected) {
  EXPECT_NEAR(static_cast<double>(time.count()), static_cast<double>(expected.count()), 10.0);
}

// Ranks 0 to 4 gather 100 B each, beside one message from device 0 to device 5.
workload::Workload gather_beside_a_message(const std::string& algorithm) {
  return workload_of(6,
                     {"collective: all_gather, size: 500 B, ranks: '0-4', algorithm: " + algorithm,
                      "message: 0 -> 5, size: 400 B"});
}

TEST(Streams, FourMessagesOfACollectiveShareALinkWithOneOtherHalfAndHalf) {
  const workload::Workload workload = gather_beside_a_message("direct");
  // Device 0 sends 4 x 100 B in the gather and 400 B besides: both end after 800 B.
  const Durations ends = ends_of(workload, gigabit_switch(6));
  EXPECT_EQ(ends[1], 6400_ns);
}

TEST(Streams, SharingByMessagesGivesEachOfFiveMessagesAFifth) {
  const workload::Workload workload = gather_beside_a_message("direct");
  // 500 B until the gather ends, of which 100 B of the message; then its other 300 B.
  EXPECT_EQ(ends_of(workload, gigabit_switch(6), {}, Sharing::messages),
            (Durations{4_us, 6400_ns}));
}

TEST(Streams, AWeightIsThatOfTheWholeStream) {
  workload::Workload workload = gather_beside_a_message("direct");
  workload.operations[0].weight = 3;
  // Three quarters of the link: 400 B of the gather and 133 B of the message in 4267 ns.
  const Durations ends = ends_of(workload, gigabit_switch(6), {}, Sharing::weighted);
  expect_near(ends[0], Duration(4'266'667));
  expect_near(ends[1], 6400_ns);
}

TEST(Streams, MessagesThatTakeTurnsAreAStreamEach) {
  const workload::Workload workload = gather_beside_a_message("ring");
  // The ring sends 4 x 100 B one after the other, each at half the bandwidth.
  EXPECT_EQ(ends_of(workload, gigabit_switch(6))[1], 6400_ns);
}

// In a cluster a device has a link to its server and one to the network: three of its messages
// share the first, four the second.
TEST(Streams, EachLinkThatLeavesADeviceHasAStreamOfItsOwn) {
  const fabric::Network cluster = fabric::fabric_of(
      "kind: cluster, gpus_per_server: 4, inside_bandwidth: 1 Gbps, inside_latency: 0 us, "
      "bandwidth: 2 Gbps, latency: 0 us",
      8);
  const workload::Workload workload =
      workload_of(8, {"collective: all_to_all, size: 800 B, algorithm: direct, ranks: '0-7'",
                      "message: 0 -> 1, size: 300 B", "message: 4 -> 5, size: 300 B"});
  // 300 B of the all-to-all and 300 B of the message share the link inside.
  expect_near(ends_of(workload, cluster)[1], 4800_ns);
}

TEST(Streams, AnIsolatedCollectiveNeedsNoWeights) {
  const workload::Workload workload =
      workload_of(64, {"collective: all_to_all, size: 640 B, algorithm: direct, ranks: '0-63'"});
  const Streams streams(workload, gigabit_switch(64), false);
  EXPECT_EQ(streams.weight(OperationId(0), 0, 1_Gbps), 1);
}

TEST(Streams, WeightsAreFractionsOfAStream) {
  const workload::Workload workload = gather_beside_a_message("direct");
  const Streams streams(workload, gigabit_switch(6), false);
  EXPECT_EQ(streams.whole(), 8 * 4);
  EXPECT_EQ(streams.weight(OperationId(0), 0, 1_Gbps), 8);
}

TEST(Streams, OfUnequalRanksTheLargestStreamCounts) {
  // The root of a direct broadcast sends to all others at once; the others send nothing.
  const workload::Workload workload =
      workload_of(5, {"collective: broadcast, size: 100 B, algorithm: direct, ranks: '0-4'",
                      "message: 0 -> 1, size: 100 B"});
  const Streams streams(workload, gigabit_switch(5), false);
  EXPECT_EQ(streams.weight(OperationId(0), 0, 1_Gbps) * 4, streams.whole());
}

}  // namespace
}  // namespace loom::simulate
