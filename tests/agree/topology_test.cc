// An all-reduce over the rings found by TopologyFinder takes the time of its closed form: every
// device sends over all its circuits all the time.
#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/fabric/fabric.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/simulate/engine.h"
#include "loom/workload/workload.h"

namespace loom {
namespace {

fabric::CircuitFabric topoopt(int devices, int degree, const std::string& more) {
  const std::string text =
      "{kind: topoopt, split: rule, bandwidth: 400 Gbps, latency: 1 us, degree: " +
      std::to_string(degree) + more + "}";
  return fabric::build_circuits(fabric::read_fabric(parse_yaml(text, "test.yaml")), {devices, 1});
}

std::vector<int> first_devices(int count) {
  std::vector<int> all;
  for (int d = 0; d < count; ++d) all.push_back(d);
  return all;
}

// 2 (n - 1) steps per ring, each sending one block of the ring's share of the buffer.
Duration closed_form(const fabric::CircuitFabric& fabric, int ranks, Bytes size,
                     std::size_t rings) {
  const Bytes block = {size.count / ranks / static_cast<std::int64_t>(rings)};
  return times(std::int64_t{2} * (ranks - 1),
               fabric.latency + transfer_time(block, fabric.circuit));
}

TEST(Topology, RingsTakeTheTimeOfTheirClosedForm) {
  for (const std::string more : {"", ", wiring: duplex", ", steps: geometric"}) {
    for (const int devices : {3, 4, 7, 8, 16, 30}) {
      for (const int degree : {2, 4}) {
        const fabric::CircuitFabric fabric = topoopt(devices, degree, more);
        const Bytes size = {std::int64_t{devices} * degree * 100'000};
        workload::Workload workload =
            workload::collective_workload({.size = size}, first_devices(devices), devices);
        const fabric::CircuitSetup setup = plan::provision_workload(fabric, workload);
        const workload::Collective& it = workload.collectives.back();
        SCOPED_TRACE(::testing::Message() << devices << " of degree " << degree << more);
        ASSERT_EQ(why(setup.infeasible), "no objection");
        ASSERT_EQ(it.algorithm, workload::Algorithm::rings);
        ASSERT_EQ(static_cast<int>(it.steps.size()), degree);
        // Rings with the same step share a link of proportionally higher bandwidth.
        const Duration expected = closed_form(fabric, devices, size, it.steps.size());
        EXPECT_EQ(simulate::simulate_coarse(workload, setup.network, {}).completion_time, expected);
        EXPECT_EQ(simulate::simulate_fluid(workload, setup.network, {}, {}).completion_time,
                  expected);
        simulate::EngineOptions each;
        each.folding = false;
        EXPECT_EQ(simulate_fluid(workload, setup.network, {}, each).completion_time, expected);
      }
    }
  }
}

// Two disjoint groups and an all-to-all over all devices: both engines run on any topology found.
TEST(Topology, FoldingChangesNothingWhereHostsForward) {
  for (const std::string more : {"", ", wiring: duplex", ", forwarding_rate: 50 Gbps"}) {
    const fabric::CircuitFabric fabric = topoopt(8, 3, more);
    workload::Workload workload = workload::parse_workload(R"(
devices: 8
groups:
  - {name: halves, size: 4, members: 0-7}
operations:
  - {name: sum, collective: all_reduce, size: 8 MB, groups: halves}
  - {name: exchange, collective: all_to_all, size: 1 MB, ranks: 0-7, after: sum}
)",
                                                           "w.yaml");
    const fabric::CircuitSetup setup = plan::provision_workload(fabric, workload);
    ASSERT_EQ(why(setup.infeasible), "no objection") << more;
    simulate::EngineOptions each;
    each.folding = false;
    EXPECT_EQ(simulate::simulate_fluid(workload, setup.network, {}, {}).operation_end,
              simulate_fluid(workload, setup.network, {}, each).operation_end)
        << more;
  }
}

}  // namespace
}  // namespace loom
