#include "loom/fabric/circuits/control/periodic.h"

#include <gtest/gtest.h>

namespace loom::fabric {
namespace {

// With one switch, a device sends to one other at a time.
CircuitFabric one_switch() {
  CircuitFabric fabric;
  fabric.limits = OcsLimits{.devices = 3, .switches = 1, .ports = 3};
  fabric.egress = fabric.circuit = {8'000'000'000};
  fabric.latency = 5_us;
  fabric.switch_time = 10_us;
  fabric.period = 11_us;
  fabric.forwarding = false;
  return fabric;
}

Waiting waiting_for(const workload::Demand& outstanding, const workload::Demand& ready) {
  return {{}, [outstanding] { return outstanding; }, [ready] { return ready; }};
}

class PeriodicCircuits : public ::testing::Test {
 protected:
  const CircuitFabric fabric_ = one_switch();
  const Network network_ = circuit_network(fabric_, {{0, 1, 0}, {0, 2, 1}});
  PeriodicControl control_{fabric_, network_, {{0, 2, 0, 0}}};
  const workload::Demand all_ = {{0, 1, 1_MB}, {0, 2, 9_MB}};
  const workload::Demand ready_ = {{0, 1, 1_MB}};
};

TEST_F(PeriodicCircuits, ServeReadyMessagesWhenNothingElseMoves) {
  const auto change = control_.decide(TimePoint(1_us), true, waiting_for(all_, ready_));
  ASSERT_TRUE(change.has_value());
  ASSERT_EQ(change->switching.size(), 1U);
  EXPECT_EQ(change->switching[0].link, 1);
  ASSERT_EQ(change->switched.size(), 1U);
  EXPECT_EQ(change->switched[0].link, 0);
  EXPECT_EQ(change->switched[0].bandwidth, fabric_.circuit);
  EXPECT_EQ(control_.next_time(), TimePoint(1_us + 11_us + 5_us));
}

TEST_F(PeriodicCircuits, StayWhileSomethingMoves) {
  EXPECT_FALSE(control_.decide(TimePoint(1_us), false, waiting_for(all_, ready_)).has_value());
  EXPECT_EQ(control_.next_time(), TimePoint(11_us));
  EXPECT_EQ(control_.changes(), 0);
}

// Otherwise circuits would change again and again without progress.
TEST_F(PeriodicCircuits, DoNotChangeForPairsThatNoCircuitCanServe) {
  const workload::Demand elsewhere = {{1, 0, 1_MB}};
  const Network network = circuit_network(fabric_, {{0, 2, 1}, {1, 0, 0}});
  CircuitFabric apart = fabric_;
  apart.limits = OcsLimits{.devices = 3, .switches = 1, .ports = 3, .wiring = {{0, 2}}};
  PeriodicControl control(apart, network, {{0, 2, 0, 0}});
  EXPECT_FALSE(
      control.decide(TimePoint(1_us), true, waiting_for({{0, 2, 9_MB}}, elsewhere)).has_value());
  EXPECT_EQ(control.changes(), 0);
}

}  // namespace
}  // namespace loom::fabric
