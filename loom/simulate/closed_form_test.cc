// The formulas of closed_form.h, checked with hand-computed numbers and against the fluid engine.
#include "loom/simulate/closed_form.h"

#include <gtest/gtest.h>

#include <set>

#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

workload::Workload ring(int ranks, Bytes size, int chunks) {
  std::vector<int> order;
  for (int rank = 0; rank < ranks; ++rank) order.push_back(rank);
  return workload::collective_workload({.size = size, .chunks = chunks}, order, ranks);
}

fabric::Network switch_of(int devices, const std::string& latency) {
  return fabric::fabric_of("kind: switch, bandwidth: 1 Gbps, latency: " + latency, devices);
}

Duration coarse(const workload::Workload& workload, const fabric::Network& network) {
  return simulate_coarse(workload, network, {}).completion_time;
}

TEST(ClosedForm, WithoutChunksARingTakesLatencyAndTransferInEveryStep) {
  EXPECT_EQ(coarse(ring(4, 500_B, 1), switch_of(4, "3 us")), 6 * (3_us + 1_us));
}

// Four chunks of 1 us each: a step takes 4 us, and its latency of 3 us is hidden except in the
// first.
TEST(ClosedForm, ChunksHideALatencyThatIsShorterThanTheOtherChunks) {
  const workload::Workload workload = ring(4, 2_KB, 4);
  const fabric::Network network = switch_of(4, "3 us");
  EXPECT_EQ(coarse(workload, network), 5 * 4_us + 3_us + 4_us);
  EXPECT_EQ(run_fluid(workload, network).completion_time, 5 * 4_us + 3_us + 4_us);
}

TEST(ClosedForm, ALongerLatencyShowsInEveryStep) {
  const workload::Workload workload = ring(4, 2_KB, 4);
  const fabric::Network network = switch_of(4, "10 us");
  EXPECT_EQ(coarse(workload, network), 5 * 11_us + 10_us + 4_us);
  EXPECT_EQ(run_fluid(workload, network).completion_time, 5 * 11_us + 10_us + 4_us);
}

TEST(ClosedForm, FromOneChunkToManyBothEnginesAgreeOnARing) {
  for (const std::string latency : {"0 us", "1 us", "7 us", "40 us"}) {
    for (const int chunks : {1, 2, 4, 5, 8, 16}) {
      const workload::Workload workload = ring(5, 10_KB, chunks);
      const fabric::Network network = switch_of(5, latency);
      EXPECT_EQ(coarse(workload, network), run_fluid(workload, network).completion_time)
          << chunks << " chunks, " << latency;
    }
  }
}

TEST(ClosedForm, AChainOfLevelsIsAddedUpAndFurtherChunksFollowAtThePaceOfTheBusiestLink) {
  // 0 -> 1 -> 2 in 4 chunks of 1 us: the first takes 2 us plus 6 us of latency, the others follow.
  const workload::Workload workload = workload_of(
      3, {"collective: broadcast, algorithm: ring, size: 500 B, chunks: 4, ranks: 0-2"});
  const fabric::Network network = switch_of(3, "3 us");
  EXPECT_EQ(coarse(workload, network), 2 * (3_us + 1_us) + 3 * 1_us);
  EXPECT_EQ(run_fluid(workload, network).completion_time, 2 * (3_us + 1_us) + 3 * 1_us);
}

TEST(ClosedForm, MessagesOfACollectiveThatShareALinkAddUp) {
  const workload::Workload workload =
      workload_of(4, {"collective: broadcast, algorithm: direct, size: 125 B, ranks: 0-3"});
  EXPECT_EQ(coarse(workload, switch_of(4, "3 us")), 3_us + 3 * 1_us);
}

TEST(ClosedForm, TheFlowKeyDistinguishesMessages) {
  EXPECT_NE(flow_key(OperationId(1)), flow_key(OperationId(2)));
  EXPECT_NE(flow_key(OperationId(1), 0, 1), flow_key(OperationId(1), 1, 0));
  EXPECT_EQ(flow_key(OperationId(1)), flow_key(OperationId(1), 0, 0));
}

TEST(ClosedForm, AnUncontendedMessageTakesItsLatencyAndItsBottleneckTransfer) {
  const fabric::Network network = switch_of(3, "3 us");
  const workload::Operation message{.source = 0, .destination = 2, .size = 125_B};
  EXPECT_EQ(uncontended_message_time(network, message, 0), 4_us);
}

// Messages that share a link do not finish before the link could have carried them.
TEST(ClosedForm, TheCoarseEngineIsNeverFasterThanTheBusiestLink) {
  const workload::Workload workload =
      workload_of(4, {"message: 0 -> 3, size: 125 B", "message: 1 -> 3, size: 125 B",
                      "message: 2 -> 3, size: 125 B"});
  EXPECT_EQ(coarse(workload, switch_of(4, "3 us")), 6_us);
}

TEST(ClosedForm, TheCoarseEngineCountsMessagesAndBytesAsTheFluidOneDoes) {
  for (const char* kind : {"all_reduce", "all_to_all", "broadcast", "reduce_scatter"}) {
    const workload::Workload workload =
        workload_of(6, {fmt::format("collective: {}, size: 1234567 B, chunks: 3, ranks: 0-5", kind),
                        "message: 0 -> 5, size: 777 B"});
    const fabric::Network network = switch_of(6, "1 us");
    const Outcome fluid = run_fluid(workload, network);
    const Outcome closed = simulate_coarse(workload, network, {});
    EXPECT_EQ(closed.messages, fluid.messages) << kind;
    EXPECT_EQ(closed.bytes, fluid.bytes) << kind;
    EXPECT_EQ(closed.link_bytes, fluid.link_bytes) << kind;
  }
}

// Paths chosen by hash differ from operation to operation, and the first may be lucky.
TEST(ClosedForm, OperationsOnHashedPathsTakeTheTimeOfTheirOwn) {
  constexpr std::uint32_t kCount = 24;
  workload::Workload workload = ring(16, 16_MB, 1);
  workload.collectives.front().algorithm = workload::Algorithm::direct;
  workload.operations.resize(kCount, workload.operations.front());
  for (std::uint32_t o = 1; o < kCount; ++o) {
    workload.operations[o].first_after = o - 1;
    workload.operations[o].after_count = 1;
    workload.after.push_back(o - 1);
  }
  const fabric::Network network = fabric::fabric_of(
      "kind: fat_tree, radix: 8, oversubscription: 2, routing: ecmp, bandwidth: 1 Gbps, "
      "latency: 1 us",
      16);
  const Outcome estimate = simulate_coarse(workload, network, {});
  std::set<Duration> times;
  for (std::uint32_t o = 1; o < kCount; ++o) {
    times.insert(estimate.operation_end[o] - estimate.operation_end[o - 1]);
  }
  EXPECT_GT(times.size(), 1U);
  const double fluid = seconds(run_fluid(workload, network).completion_time);
  EXPECT_NEAR(seconds(estimate.completion_time), fluid, 0.1 * fluid);
}

}  // namespace
}  // namespace loom::simulate
