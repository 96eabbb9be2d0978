// Links that change while messages are in flight. A ring of four: 0-1-2-3, one 1 Gbps link per
// direction; a message of 125 B takes 1 us.
#include <gtest/gtest.h>

#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

fabric::Network ring_of_four(const std::string& latency = "0 us") {
  return fabric::fabric_of("kind: torus, shape: 4, bandwidth: 1 Gbps, latency: " + latency, 4);
}

int link_between(const fabric::Network& network, int from, int to) {
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    if (network.links[l].from == from && network.links[l].to == to) return static_cast<int>(l);
  }
  ADD_FAILURE() << "no link " << from << " -> " << to;
  return -1;
}

workload::Workload one_message() { return workload_of(4, {"message: 0 -> 1, size: 500 B"}); }

TEST(LinkChanges, ASlowerLinkTakesLongerFromThenOn) {
  const fabric::Network network = ring_of_four();
  const int link = link_between(network, 0, 1);
  EXPECT_EQ(ends_of(one_message(), network, {change(2_us, link, {500'000'000})}), Durations{6_us});
  EXPECT_EQ(ends_of(one_message(), network, {change(2_us, link, 2_Gbps)}), Durations{3_us});
}

TEST(LinkChanges, AChangeAtTimeZeroAppliesFromTheStart) {
  const fabric::Network network = ring_of_four();
  const int link = link_between(network, 0, 1);
  EXPECT_EQ(ends_of(one_message(), network, {change(0_us, link, {500'000'000})}), Durations{8_us});
}

TEST(LinkChanges, TheirOrderInTheListDoesNotMatter) {
  const fabric::Network network = ring_of_four();
  const int link = link_between(network, 0, 1);
  EXPECT_EQ(ends_of(one_message(), network,
                    {change(3_us, link, 1_Gbps), change(1_us, link, {500'000'000})}),
            Durations{5_us});
}

TEST(LinkChanges, AMessageOnALinkThatGoesDownSendsTheRemainderOverAnotherRoute) {
  const fabric::Network network = ring_of_four();
  const int down = link_between(network, 0, 1);
  // The detour is shared with another message from 2 us on.
  const workload::Workload workload =
      workload_of(4, {"message: 0 -> 1, size: 500 B", "message: 3 -> 2, size: 125 B, start: 2 us"});
  const Outcome outcome = run_fluid(workload, network, {change(2_us, down, {0})});
  EXPECT_EQ(ends_of(outcome), (Durations{5_us, 4_us}));
  EXPECT_EQ(outcome.link_bytes[static_cast<std::size_t>(down)], 250_B);
  EXPECT_EQ(outcome.link_bytes[static_cast<std::size_t>(link_between(network, 2, 1))], 250_B);
  EXPECT_EQ(outcome.bytes, 625_B);
}

TEST(LinkChanges, AReroutedMessageStaysOnItsNewRoute) {
  const fabric::Network network = ring_of_four();
  const int down = link_between(network, 0, 1);
  const Outcome outcome =
      run_fluid(one_message(), network, {change(1_us, down, {0}), change(2_us, down, 1_Gbps)});
  EXPECT_EQ(ends_of(outcome), Durations{4_us});
  EXPECT_EQ(outcome.link_bytes[static_cast<std::size_t>(down)], 125_B);
}

TEST(LinkChanges, AMessageThatStartsWhileALinkIsDownIsRoutedAroundIt) {
  const fabric::Network network = ring_of_four("1 us");
  const workload::Workload workload = workload_of(4, {"message: 0 -> 1, size: 125 B, start: 2 us"});
  EXPECT_EQ(ends_of(workload, network, {change(1_us, link_between(network, 0, 1), {0})}),
            Durations{6_us});
}

TEST(LinkChanges, WithoutAnotherRouteAMessageWaitsUntilTheLinkIsUp) {
  const fabric::Network network = fabric::fabric_of("kind: switch, bandwidth: 1 Gbps", 4);
  EXPECT_EQ(ends_of(one_message(), network, {change(1_us, 0, {0}), change(10_us, 0, 1_Gbps)}),
            Durations{13_us});
  EXPECT_EQ(ends_of(one_message(), network, {change(0_us, 0, {0}), change(10_us, 0, 1_Gbps)}),
            Durations{14_us});
}

TEST(LinkChanges, ALatencyIsNotRestartedIfTheRouteIsUpAgainWhenItEnds) {
  const fabric::Network network =
      fabric::fabric_of("kind: switch, bandwidth: 1 Gbps, latency: 5 us", 4);
  EXPECT_EQ(ends_of(one_message(), network, {change(1_us, 0, {0}), change(2_us, 0, 1_Gbps)}),
            Durations{9_us});
}

TEST(LinkChanges, AMessageWhoseRouteIsDownWhenItsLatencyEndsPaysTheLatencyAgain) {
  const fabric::Network network =
      fabric::fabric_of("kind: switch, bandwidth: 1 Gbps, latency: 5 us", 4);
  EXPECT_EQ(ends_of(one_message(), network, {change(1_us, 0, {0}), change(10_us, 0, 1_Gbps)}),
            Durations{19_us});
}

TEST(LinkChanges, ACollectiveIsRoutedAroundALinkThatIsDown) {
  const workload::Workload workload =
      workload_of(4, {"collective: all_reduce, algorithm: ring, size: 500 B, ranks: 0-3"});
  const fabric::Network network = ring_of_four();
  EXPECT_EQ(ends_of(workload, network), Durations{6_us});
  // 0 -> 1 goes 0 -> 3 -> 2 -> 1: no other message uses that direction.
  EXPECT_EQ(ends_of(workload, network, {change(0_us, link_between(network, 0, 1), {0})}),
            Durations{6_us});
}

TEST(LinkChanges, ACollectiveWithManyChunksWaitsForItsLinkAndLosesNothing) {
  const workload::Workload workload = workload_of(
      3, {"collective: all_reduce, algorithm: ring, size: 3 kB, chunks: 8, ranks: 0-2"});
  const fabric::Network network =
      fabric::fabric_of("kind: switch, bandwidth: 1 Gbps, latency: 1 us", 3);
  const Outcome undisturbed = run_fluid(workload, network);
  const Outcome disturbed =
      run_fluid(workload, network, {change(4_us, 2, {0}), change(104_us, 2, 1_Gbps)});
  EXPECT_EQ(disturbed.messages, undisturbed.messages);
  EXPECT_EQ(disturbed.bytes, undisturbed.bytes);
  EXPECT_GE(disturbed.completion_time, undisturbed.completion_time + 99_us);
  EXPECT_LE(disturbed.completion_time, undisturbed.completion_time + 103_us);
}

TEST(LinkChanges, ARecordBeginsWhenTheMessageLeftWhateverItsRoute) {
  // Released at 2 us over one hop of 1 us; at 2.5 us that link fails and the route is three hops
  // long.
  const fabric::Network network = ring_of_four("1 us");
  Recorder recorder;
  run_fluid(workload_of(4, {"message: 0 -> 1, size: 125 B, start: 2 us"}), network,
            {change(2500_ns, link_between(network, 0, 1), {0})}, transport::Sharing::fair,
            &recorder);
  EXPECT_EQ(recorder.text, "#0 0->1 125 B: 2 us to 4 us\n");
}

TEST(LinkChanges, AChangeAfterTheLastOperationDoesNotLengthenTheRun) {
  const fabric::Network network = ring_of_four();
  const Outcome outcome = run_fluid(one_message(), network, {change(1000_us, 0, {0})});
  EXPECT_EQ(outcome.completion_time, 4_us);
}

}  // namespace
}  // namespace loom::simulate
