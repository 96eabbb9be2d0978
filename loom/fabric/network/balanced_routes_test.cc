#include "loom/fabric/network/balanced_routes.h"

#include "loom/fabric/circuits/topology_network.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

// If all pairs send equally much and each has a circuit, any detour costs twice as much.
TEST(BalancedRoutes, KeepEveryPairOnItsOwnCircuitUnderUniformDemand) {
  for (const int devices : {3, 4, 8, 17}) {
    SCOPED_TRACE(devices);
    const std::string text =
        "{kind: topoopt, split: rule, bandwidth: 400 Gbps, degree: " + std::to_string(devices - 1) +
        "}";
    const CircuitFabric fabric =
        build_circuits(read_fabric(parse_yaml(text, "test.yaml")), {devices, 1});
    TopologyDemand demand{devices, {}, {}};
    for (int from = 0; from < devices; ++from) {
      for (int to = 0; to < devices; ++to) {
        if (from != to) demand.pairs.push_back({from, to, {1'000'000}});
      }
    }
    const TopologySetup found = provision_topology(fabric, demand);
    ASSERT_TRUE(found.setup.provisioned.unserved.empty());
    for (const workload::PairDemand& it : demand.pairs) {
      EXPECT_EQ(route_of(found.setup.network, it.from, it.to).hops.size(), 1U)
          << it.from << " -> " << it.to;
    }
  }
}

}  // namespace
}  // namespace loom::fabric
