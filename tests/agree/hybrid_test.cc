// A packet switch beside reconfigured circuits, against times worked out by hand.
#include <gtest/gtest.h>

#include "loom/fabric/circuits/control/periodic.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/fabric/testing.h"
#include "loom/simulate/engine.h"
#include "loom/workload/demand.h"

namespace loom {
namespace {

// One byte per nanosecond over packets, nine over a circuit.
fabric::CircuitFabric helios(const std::string& more) {
  return fabric::build_circuits(
      fabric::read_fabric(parse_yaml(
          "{kind: helios, bandwidth: 80 Gbps, threshold: 1 MB" + more + "}", "test.yaml")),
      {4, 1});
}

workload::Operation message(int from, int to, Bytes size) {
  workload::Operation it;
  it.source = from;
  it.destination = to;
  it.size = size;
  return it;
}

workload::Workload three_messages() {
  workload::Workload workload;
  workload.devices = 4;
  workload.operations = {message(0, 1, 9_MB), message(0, 2, 18_MB), message(0, 3, Bytes{900'000})};
  return workload;
}

TEST(Hybrid, WithFixedCircuitsTheLargestFlowHasTheCircuitAndOthersSharePackets) {
  const fabric::CircuitFabric fabric = helios("");
  const workload::Workload workload = three_messages();
  const fabric::CircuitSetup setup = provision_network(fabric, demand_of(workload));
  const simulate::Outcome outcome = simulate::simulate_fluid(workload, setup.network, {}, {});
  EXPECT_EQ(outcome.operation_end[1], TimePoint(2_ms));
  EXPECT_EQ(outcome.operation_end[2], TimePoint(1800_us));  // at half the packet bandwidth
  EXPECT_EQ(outcome.operation_end[0], TimePoint(9900_us));
}

// Every millisecond the flow with more bytes left gets the circuit; switching takes 100 us.
TEST(Hybrid, LargeFlowsAlternateOnTheCircuitAndASmallFlowStartsAtOnce) {
  const fabric::CircuitFabric fabric =
      helios(", reconfigure: periodic, period: 1 ms, switch_time: 100 us");
  const workload::Workload workload = three_messages();
  const workload::Demand demand = demand_of(workload);
  const fabric::Circuits first = provision(fabric, demand).circuits;
  const fabric::Network network = circuit_network(fabric, pairs_of(fabric, demand, first));
  fabric::PeriodicControl control(fabric, network, first);
  simulate::EngineOptions options;
  options.control = &control;
  options.verify = true;
  const simulate::Outcome outcome = simulate_fluid(workload, network, {}, options);
  ASSERT_FALSE(outcome.deadlock.has_value());
  EXPECT_EQ(outcome.operation_end[2], TimePoint(900_us));  // at the full packet bandwidth
  // 27 MB at 9 bytes per nanosecond, plus a few reconfigurations.
  EXPECT_GE(outcome.completion_time, 3_ms);
  EXPECT_LE(outcome.completion_time, 3_ms + (control.changes() + 1) * 100_us);
  EXPECT_GE(control.changes(), 1);
}

}  // namespace
}  // namespace loom
