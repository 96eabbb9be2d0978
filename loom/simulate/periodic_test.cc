// Periodic reprovisioning of circuits for waiting messages, with dependencies among messages.
#include "loom/fabric/circuits/control/periodic.h"

#include <gtest/gtest.h>

#include <numeric>

#include "loom/fabric/circuits/provision/provision.h"
#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

// Fewer circuits than peers.
const std::vector<std::string> kFew = {
    "kind: helios",
    "kind: helios, switches: 2",
    "kind: sip_ocs, switches: 1",
    "kind: sip_ocs, switches: 1, provisioner: max_weight",
    "kind: sip_ocs, switches: 2",
    "kind: sip_ocs, switches: 3, provisioner: max_weight",
    "kind: sip_ocs, switches: 1, unserved: forward",
    "kind: sip_ring, wavelength_bandwidth: 200 Gbps",
    "kind: sip_ring, wavelength_bandwidth: 200 Gbps, provisioner: max_weight",
};

Outcome run_periodic(const std::string& text, const workload::Workload& workload) {
  const fabric::FabricSpec spec = fabric::read_fabric(parse_yaml("{" + text + "}", "test.yaml"));
  fabric::CircuitFabric fabric = build_circuits(spec, {workload.devices, 1});
  fabric.forwarding = fabric.unserved == fabric::Unserved::forward;
  const workload::Demand demand = demand_of(workload);
  const fabric::Circuits first = provision(fabric, demand).circuits;
  const fabric::Network network = circuit_network(fabric, pairs_of(fabric, demand, first));
  fabric::PeriodicControl control(fabric, network, first);
  EngineOptions options;
  options.control = &control;
  options.verify = true;
  return simulate_fluid(workload, network, {}, options);
}

// One workload per collective kind and algorithm that supports this number of ranks.
std::vector<workload::Workload> collectives_of(int ranks, Bytes size, int chunks) {
  std::vector<int> devices(static_cast<std::size_t>(ranks));
  std::iota(devices.begin(), devices.end(), 0);
  std::vector<workload::Workload> all;
  for (const workload::CollectiveKind kind :
       {workload::CollectiveKind::all_reduce, workload::CollectiveKind::all_gather,
        workload::CollectiveKind::all_to_all, workload::CollectiveKind::broadcast}) {
    for (const workload::Algorithm algorithm : algorithms_for(kind)) {
      workload::Collective it{.kind = kind, .algorithm = algorithm, .size = size, .chunks = chunks};
      if (algorithm == workload::Algorithm::rings) it.steps = {1, ranks - 1};
      if (!objection(it, ranks)) {
        all.push_back(collective_workload(it, devices, ranks));
      }
    }
  }
  return all;
}

void expect_all_arrive(const std::string& moving, Bytes size, int chunks) {
  for (const std::string& kind : kFew) {
    for (const int ranks : {3, 5, 8}) {
      for (const workload::Workload& workload : collectives_of(ranks, size, chunks)) {
        SCOPED_TRACE(fmt::format("{}, {}, {} ranks, kind {}, algorithm {}", kind, moving, ranks,
                                 static_cast<int>(workload.collectives[0].kind),
                                 static_cast<int>(workload.collectives[0].algorithm)));
        const Outcome outcome = run_periodic(
            fmt::format("{}, bandwidth: 400 Gbps, reconfigure: periodic, {}", kind, moving),
            workload);
        ASSERT_FALSE(outcome.deadlock.has_value()) << outcome.deadlock->waiting.front();
        EXPECT_EQ(outcome.messages, message_count(workload));
      }
    }
  }
}

TEST(Periodic, EveryPairIsServedWhateverTheDependencies) {
  expect_all_arrive("latency: 1 us, switch_time: 20 us, period: 100 us", 10_MB, 1);
  expect_all_arrive("latency: 1 us, switch_time: 20 us, period: 100 us", 1_MB, 3);
}

// Most blocks are empty and queue behind the others of their channel.
TEST(Periodic, ChannelsWithZeroByteMessagesAreServed) {
  expect_all_arrive("latency: 1 us, switch_time: 20 us, period: 100 us", 2_B, 1);
}

// A period barely longer than the switch time and shorter than the latency.
TEST(Periodic, AShortPeriodFinishesToo) {
  expect_all_arrive("latency: 30 us, switch_time: 20 us, period: 21 us", 300_KB, 1);
}

}  // namespace
}  // namespace loom::simulate
