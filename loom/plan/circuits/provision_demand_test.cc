#include "loom/plan/circuits/provision_demand.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/fabric/circuits/transit_provisioning.h"
#include "loom/fabric/testing.h"
#include "loom/simulate/engine.h"

namespace loom::plan {
namespace {

fabric::CircuitFabric circuits_of(const std::string& text, int devices) {
  return fabric::build_circuits(fabric::read_fabric(parse_yaml("{" + text + "}", "test.yaml")),
                                {devices, 1});
}

Duration time_on(const fabric::Network& network, const workload::Demand& demand) {
  workload::Workload workload;
  workload.devices = network.devices;
  for (const workload::PairDemand& it : demand) {
    workload.operations.push_back({.source = it.from, .destination = it.to, .size = it.bytes});
  }
  return simulate::simulate_fluid(workload, network, {}, {}).completion_time;
}

workload::Demand all_to_all(int devices, Bytes each) {
  workload::Demand demand;
  for (int from = 0; from < devices; ++from) {
    for (int to = 0; to < devices; ++to) {
      if (from != to) demand.push_back({from, to, each});
    }
  }
  return demand;
}

workload::Demand random_demand(Random& random, int devices) {
  workload::Demand demand;
  for (const workload::PairDemand& it : all_to_all(devices, {1})) {
    if (random(3) > 0) demand.push_back({it.from, it.to, {1000 + random(1'000'000)}});
  }
  return demand;
}

TEST(ProvisionDemand, ForwardedDemandTakesNoLongerThanWithTheInitialCircuits) {
  int better = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random = random_stream(seed, 77);
    const int devices = 4 + static_cast<int>(random(9));
    const std::string kind =
        random(2) == 0
            ? "kind: sip_ocs, bandwidth: 100 Gbps, switches: " + std::to_string(2 + random(4))
            : "kind: sip_ring, bandwidth: " + std::to_string(2 + random(5)) +
                  "00 Gbps, reach: " + std::to_string(random(4));
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + kind);
    const fabric::CircuitFabric fabric = circuits_of(kind, devices);
    const workload::Demand demand = random_demand(random, devices);
    const fabric::CircuitSetup served = provision_network(fabric, demand);
    const fabric::CircuitSetup found = provision_demand(fabric, demand);
    ASSERT_EQ(why(found.infeasible), why(served.infeasible));
    if (served.infeasible) continue;
    EXPECT_EQ(why(violation(fabric, found.provisioned.circuits)), "no objection");
    const Duration before = time_on(served.network, demand);
    const Duration after = time_on(found.network, demand);
    EXPECT_LE(after, before);
    better += after < before ? 1 : 0;
    // Exactly the pairs without a circuit are reported as unserved.
    const std::vector<fabric::PairCircuits> pairs = by_pair(found.provisioned.circuits);
    for (const workload::PairDemand& it : demand) {
      const bool has =
          std::any_of(pairs.begin(), pairs.end(), [&](const fabric::PairCircuits& pair) {
            return pair.from == it.from && pair.to == it.to;
          });
      const auto& without = found.provisioned.unserved;
      EXPECT_EQ(std::find(without.begin(), without.end(), it) == without.end(), has);
    }
  }
  EXPECT_GT(better, 20);
}

TEST(ProvisionDemand, WhereAllPairsAreServedNothingIsReprovisioned) {
  const fabric::CircuitFabric fabric =
      circuits_of("kind: sip_ocs, bandwidth: 400 Gbps, switches: 8", 8);
  const workload::Demand demand = all_to_all(8, 1_MB);
  EXPECT_EQ(provision_demand(fabric, demand).provisioned.circuits,
            provision_network(fabric, demand).provisioned.circuits);
}

// Hop by hop between neighbors, the mean path is 64 / 15 hops, over two directions with half the
// bandwidth each.
TEST(ProvisionDemand, ALongerReachIsNoSlowerThanNeighborHops) {
  const workload::Demand demand = all_to_all(16, 10_MB);
  const double hops = 64.0 / 15;
  const double seconds = 15 * 10e6 * 8 * hops / 400e9;
  for (const int reach : {0, 1, 2, 4, 8}) {
    const fabric::CircuitFabric fabric = circuits_of(
        "kind: sip_ring, bandwidth: 400 Gbps, latency: 1 us, reach: " + std::to_string(reach), 16);
    const Duration time = time_on(provision_demand(fabric, demand).network, demand);
    EXPECT_LT(std::chrono::duration<double>(time).count(), 1.001 * seconds) << reach;
  }
}

TEST(ProvisionDemand, LinkLoadsAddUpToBytesTimesHops) {
  const fabric::CircuitFabric fabric =
      circuits_of("kind: sip_ring, bandwidth: 400 Gbps, reach: 1", 6);
  const workload::Demand demand = {{0, 2, {600}}, {1, 2, {50}}, {2, 5, {1000}}};
  const fabric::Network network = provision_network(fabric, all_to_all(6, {1})).network;
  const workload::Demand carried = link_demand(network, demand);
  const auto bytes = [&](int from, int to) {
    for (const workload::PairDemand& it : carried) {
      if (it.from == from && it.to == to) return it.bytes.count;
    }
    return std::int64_t{0};
  };
  EXPECT_EQ(bytes(0, 1), 600);
  EXPECT_EQ(bytes(1, 2), 650);
  EXPECT_EQ(bytes(2, 3), 500);  // three hops in either direction
  EXPECT_EQ(bytes(2, 1), 500);
  EXPECT_EQ(bytes(5, 0), 0);
}

}  // namespace
}  // namespace loom::plan
