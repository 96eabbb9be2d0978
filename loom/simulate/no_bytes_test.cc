// Zero-byte messages on circuit fabrics: they need no circuit and arrive even where none leads.
#include <gtest/gtest.h>

#include <numeric>

#include "loom/base/testing.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

const std::vector<std::string> kKinds = {"sip_ocs", "sip_ring", "mordia", "megaswitch", "topoopt"};

// Circuits provisioned for the workload's demand, with a latency of 1 us each.
fabric::Network network_for(const std::string& text, const workload::Workload& workload) {
  const fabric::FabricSpec spec = fabric::read_fabric(
      parse_yaml("{kind: " + text + ", bandwidth: 400 Gbps, latency: 1 us}", "test.yaml"));
  fabric::CircuitSetup setup =
      provision_network(build_circuits(spec, {workload.devices, 1}), demand_of(workload));
  EXPECT_EQ(why(setup.infeasible), "no objection");
  return std::move(setup.network);
}

TEST(NoBytes, AMessageArrivesAfterTheLatencyOfACircuit) {
  const workload::Workload workload =
      workload_of(4, {"message: 0 -> 1, size: 50 kB, name: there",
                      "message: 1 -> 0, size: 0 B, after: there", "message: 2 -> 3, size: 0 B"});
  for (const std::string& kind : kKinds) {
    for (const std::string forwarding : {"true", "false"}) {
      const std::string fabric = fmt::format("{}, forwarding: {}", kind, forwarding);
      SCOPED_TRACE(fabric);
      const fabric::Network network = network_for(fabric, workload);
      const Durations fluid = ends_of(workload, network);
      EXPECT_EQ(fluid[1], fluid[0] + 1_us);
      EXPECT_EQ(fluid[2], 1_us);
      EXPECT_EQ(ends_of(simulate_coarse(workload, network, {})), fluid);
      EXPECT_EQ(uncontended_message_time(network, workload.operations[2], 0), 1_us);
    }
  }
}

TEST(NoBytes, AnExistingRouteIsTaken) {
  const workload::Workload workload =
      workload_of(3, {"message: 0 -> 1, size: 50 kB", "message: 1 -> 2, size: 50 kB",
                      "message: 2 -> 0, size: 50 kB", "message: 0 -> 2, size: 0 B"});
  const fabric::Network network = network_for("sip_ocs, switches: 1", workload);
  EXPECT_EQ(ends_of(workload, network)[3], 2_us);
  EXPECT_EQ(simulate_coarse(workload, network, {}).operation_end[3], TimePoint(2_us));
}

TEST(NoBytes, ALinkThatIsDownHoldsThemOnFabricsWithoutCircuits) {
  const workload::Workload workload = workload_of(2, {"message: 0 -> 1, size: 0 B"});
  const fabric::Network network = fabric::fabric_of("kind: full_mesh, bandwidth: 8 Gbps", 2);
  EXPECT_TRUE(run_fluid(workload, network, {change(0_us, 0, Bandwidth{0})}).deadlock.has_value());
}

// No more bytes than ranks: some blocks, and some channels, are empty.
TEST(NoBytes, TheSmallestCollectivesFinish) {
  for (const std::string& kind : kKinds) {
    for (int ranks = 2; ranks <= 7; ++ranks) {
      for (std::int64_t size = 0; size <= ranks; ++size) {
        for (int k = 0; k < 5; ++k) {
          const auto collective = static_cast<workload::CollectiveKind>(k);
          for (const workload::Algorithm algorithm : algorithms_for(collective)) {
            workload::Collective it{.kind = collective, .algorithm = algorithm, .size = {size}};
            if (algorithm == workload::Algorithm::rings) it.steps = {1, ranks - 1};
            if (objection(it, ranks)) continue;
            SCOPED_TRACE(fmt::format("{}, {} ranks, {} B, kind {}, algorithm {}", kind, ranks, size,
                                     k, static_cast<int>(algorithm)));
            std::vector<int> devices(static_cast<std::size_t>(ranks));
            std::iota(devices.begin(), devices.end(), 0);
            const workload::Workload workload = collective_workload(it, devices, ranks);
            const fabric::Network network = network_for(kind, workload);
            const Outcome fluid = run_fluid(workload, network);
            ASSERT_FALSE(fluid.deadlock.has_value()) << fluid.deadlock->waiting.front();
            EngineOptions one_by_one;
            one_by_one.folding = false;
            EXPECT_EQ(simulate_fluid(workload, network, {}, one_by_one).operation_end,
                      fluid.operation_end);
            const Outcome closed = simulate_coarse(workload, network, {});
            EXPECT_EQ(closed.messages, fluid.messages);
            EXPECT_EQ(closed.bytes, fluid.bytes);
          }
        }
      }
    }
  }
}

TEST(NoBytes, AnUnequalAllToAllLeavesPairsWithoutACircuit) {
  workload::Collective some{.kind = workload::CollectiveKind::all_to_all,
                            .algorithm = workload::Algorithm::direct};
  some.sizes.assign(16, 0_B);
  some.sizes[1] = 50_KB;  // 0 -> 1
  some.sizes[6] = 50_KB;  // 1 -> 2
  for (const workload::Algorithm algorithm :
       {workload::Algorithm::direct, workload::Algorithm::pairwise}) {
    some.algorithm = algorithm;
    const workload::Workload workload = collective_workload(some, {0, 1, 2, 3}, 4);
    for (const std::string& kind : kKinds) {
      SCOPED_TRACE(kind);
      const fabric::Network network = network_for(kind + ", forwarding: false", workload);
      EXPECT_FALSE(run_fluid(workload, network).deadlock.has_value());
      EXPECT_EQ(simulate_coarse(workload, network, {}).bytes, 100_KB);
    }
  }
}

}  // namespace
}  // namespace loom::simulate
