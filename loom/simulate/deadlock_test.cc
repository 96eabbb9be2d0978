// Workloads that cannot finish, and how the deadlock is reported.
#include <gtest/gtest.h>

#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

using Texts = std::vector<std::string>;

fabric::Network gigabit_switch(int devices) {
  return fabric::fabric_of("kind: switch, bandwidth: 1 Gbps", devices);
}

Deadlock deadlock_of(const workload::Workload& workload,
                     const std::vector<LinkChange>& changes = {}) {
  const Outcome outcome = run_fluid(workload, gigabit_switch(workload.devices), changes);
  EXPECT_TRUE(outcome.deadlock.has_value());
  return outcome.deadlock.value_or(Deadlock{});
}

TEST(Deadlock, OperationsThatWaitForEachOther) {
  const Deadlock deadlock =
      deadlock_of(workload_of(2, {"name: fine, compute: 3 us, device: 0",
                                  "name: a, compute: 1 us, device: 0, after: fine b",
                                  "name: b, message: 0 -> 1, size: 1 B, after: a"}));
  EXPECT_EQ(deadlock.at, TimePoint(3_us));
  EXPECT_EQ(deadlock.unfinished, 2U);
  EXPECT_EQ(deadlock.waiting, (Texts{"a on device 0 waits for b", "b on device 0 waits for a"}));
}

TEST(Deadlock, AnOperationThatWaitsForItself) {
  const Deadlock deadlock =
      deadlock_of(workload_of(1, {"name: a, compute: 1 us, device: 0, after: a"}));
  EXPECT_EQ(deadlock.waiting, Texts{"a on device 0 waits for a"});
}

TEST(Deadlock, AReceiveWithoutAMatchingSend) {
  const Deadlock deadlock = deadlock_of(workload_of(
      2, {"message: 0 -> 1, size: 125 B", "receive: 0 -> 1", "name: more, receive: 0 -> 1"}));
  EXPECT_EQ(deadlock.at, TimePoint(1_us));
  EXPECT_EQ(deadlock.unfinished, 1U);
  EXPECT_EQ(deadlock.waiting,
            Texts{"more on device 1 waits for a message 0 -> 1 that nobody sends"});
}

TEST(Deadlock, AReceiveWhoseMessageIsHeldUp) {
  const Deadlock deadlock = deadlock_of(workload_of(
      2, {"name: r, receive: 0 -> 1", "name: m, message: 0 -> 1, size: 1 B, after: r"}));
  EXPECT_EQ(deadlock.waiting,
            (Texts{"r on device 1 waits for message 0 -> 1", "m on device 0 waits for r"}));
}

TEST(Deadlock, AMessageWhoseLinkNeverComesBack) {
  const workload::Workload workload = workload_of(2, {"name: m, message: 0 -> 1, size: 1 kB"});
  const Deadlock deadlock = deadlock_of(workload, {change(2_us, 0, {0})});
  EXPECT_EQ(deadlock.at, TimePoint(2_us));
  EXPECT_EQ(deadlock.waiting,
            Texts{"m is a message 0 -> 1 of 1 kB that has no route: a link is down"});
}

TEST(Deadlock, AMessageThatNeverFindsARoute) {
  const workload::Workload workload = workload_of(2, {"message: 0 -> 1, size: 1 kB, start: 5 us"});
  const Deadlock deadlock = deadlock_of(workload, {change(0_us, 0, {0})});
  EXPECT_EQ(deadlock.at, TimePoint(5_us));
  EXPECT_EQ(deadlock.waiting,
            Texts{"#0 is a message 0 -> 1 of 1 kB that has no route: a link is down"});
}

TEST(Deadlock, ACollectiveWhoseLinkNeverComesBack) {
  const workload::Workload workload = workload_of(
      3, {"name: sum, collective: all_reduce, algorithm: ring, size: 3 kB, ranks: 0-2"});
  EXPECT_EQ(deadlock_of(workload, {change(2_us, 2, {0})}).waiting,
            Texts{"sum has a message 1 -> 2 that has no route: a link is down"});
  EXPECT_EQ(deadlock_of(workload, {change(0_us, 2, {0})}).waiting,
            Texts{"sum has a message 1 -> 2 that has no route: a link is down"});
}

TEST(Deadlock, ACollectiveThatOneRankNeverJoins) {
  const workload::Workload workload = workload_of(
      3,
      {"name: step, compute: 1 us, groups: all", "name: never, receive: 0 -> 1, after: step",
       "name: both, compute: 1 us, device: 1, after: never",
       "name: sum, collective: all_reduce, algorithm: ring, size: 3 kB, groups: all, after: both"},
      "groups: [{name: all, members: 0-2}]\n");
  EXPECT_EQ(deadlock_of(workload).waiting,
            (Texts{"never on device 1 waits for a message 0 -> 1 that nobody sends",
                   "both on device 1 waits for never", "sum on device 0 waits for both"}));
}

TEST(Deadlock, OnlyTheFirstFewAreNamedAndAllAreCounted) {
  std::vector<std::string> operations;
  for (int i = 0; i < 20; ++i) operations.emplace_back("receive: 0 -> 1");
  const Deadlock deadlock = deadlock_of(workload_of(2, operations));
  EXPECT_EQ(deadlock.unfinished, 20U);
  EXPECT_EQ(deadlock.waiting.size(), 8U);
}

TEST(Deadlock, BothEnginesSayTheSame) {
  const workload::Workload workload =
      workload_of(2, {"compute: 3 us, device: 0", "name: r, receive: 0 -> 1"});
  const Outcome coarse = simulate_coarse(workload, gigabit_switch(2), {});
  ASSERT_TRUE(coarse.deadlock.has_value());
  EXPECT_EQ(coarse.deadlock->waiting, deadlock_of(workload).waiting);
  EXPECT_EQ(coarse.deadlock->at, TimePoint(3_us));
}

}  // namespace
}  // namespace loom::simulate
