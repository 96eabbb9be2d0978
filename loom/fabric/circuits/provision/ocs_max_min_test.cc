#include "loom/fabric/circuits/provision/ocs_max_min.h"

#include "loom/base/testing.h"
#include "loom/fabric/circuits/provision/testing.h"

namespace loom::fabric {
namespace {

OcsLimits full(int devices, int switches) {
  return {.devices = devices, .switches = switches, .ports = devices};
}

TEST(OcsMaxMin, EveryResultIsFeasibleAndReportedCorrectly) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const OcsLimits limits =
        full(2 + static_cast<int>(random(14)), 1 + static_cast<int>(random(10)));
    const workload::Demand demand = random_demand(random, limits.devices, random(101), 50);
    const Provisioned result = provision_max_min(limits, demand);
    ASSERT_EQ(why(flaw_of(limits, demand, result)), "no objection");
    ASSERT_EQ(result.rate, result.bound);
    ASSERT_EQ(result.circuits, provision_max_min(limits, demand).circuits);
    const Provisioned connected = provision_max_min(limits, demand, true);
    ASSERT_EQ(why(flaw_of(limits, demand, connected)), "no objection");
    ASSERT_TRUE(connected.unserved.empty() ||
                strongly_connected(limits.devices, connected.circuits));
  }
}

TEST(OcsMaxMin, MoreSwitchesNeverLowerTheWorstRate) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const workload::Demand demand = random_demand(random, 8, 40, 30);
    double before = 0;
    for (int switches = 1; switches <= 16; ++switches) {
      const double rate = provision_max_min(full(8, switches), demand).rate;
      ASSERT_GE(rate, before);
      before = rate;
    }
    ASSERT_GT(before, 0);
  }
}

TEST(OcsMaxMin, EveryPairHasAtLeastTheCircuitsThatTheBestRateNeeds) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const workload::Demand demand = random_demand(random, 10, 30, 30);
    const Provisioned result = provision_max_min(full(10, 12), demand);
    auto counts = counts_of(result);
    for (const workload::PairDemand& it : demand) {
      const int count = counts[{it.from, it.to}];
      ASSERT_GE(count / static_cast<double>(it.bytes.count), result.rate);
    }
  }
}

TEST(OcsMaxMin, NoPairCanHaveAnotherCircuit) {
  Random random = random_stream(7);
  const workload::Demand demand = random_demand(random, 10, 30, 30);
  std::map<int, int> out;
  std::map<int, int> in;
  for (const Circuit& it : provision_max_min(full(10, 12), demand).circuits) {
    ++out[it.from];
    ++in[it.to];
  }
  for (const workload::PairDemand& it : demand) EXPECT_TRUE(out[it.from] == 12 || in[it.to] == 12);
}

TEST(OcsMaxMin, WithoutDemandProvisionsNothing) {
  EXPECT_TRUE(provision_max_min(full(4, 2), {}).circuits.empty());
  EXPECT_TRUE(provision_max_min(full(4, 2), {}, true).circuits.empty());
}

TEST(OcsMaxMin, ASinglePairHasAllSwitches) {
  const Provisioned result = provision_max_min(full(2, 3), {{0, 1, 6_B}});
  EXPECT_EQ(result.circuits, (Circuits{{0, 1, 0}, {0, 1, 1}, {0, 1, 2}}));
  EXPECT_EQ(result.rate, 0.5);
}

TEST(OcsMaxMin, TheWorstServedPairIsServedAsWellAsPossible) {
  // Four ports: 3 to 1 gives 30 and 10 bytes the same share.
  const Provisioned result = provision_max_min(full(3, 4), {{0, 1, 30_B}, {0, 2, 10_B}});
  EXPECT_EQ(by_pair(result.circuits), (std::vector<PairCircuits>{{0, 1, 3}, {0, 2, 1}}));
  EXPECT_EQ(result.rate, 0.1);
}

TEST(OcsMaxMin, WithMorePeersThanPortsTheLargestAreServed) {
  const workload::Demand demand = {{0, 1, 1_B}, {0, 2, 5_B}, {0, 3, 3_B}};
  const Provisioned result = provision_max_min(full(4, 2), demand);
  EXPECT_EQ(by_pair(result.circuits), (std::vector<PairCircuits>{{0, 2, 1}, {0, 3, 1}}));
  EXPECT_EQ(result.unserved, (workload::Demand{{0, 1, 1_B}}));
  EXPECT_EQ(result.rate, 0);
  EXPECT_EQ(result.bound, 0);
  const Provisioned connected = provision_max_min(full(4, 2), demand, true);
  EXPECT_EQ(connected.circuits, (Circuits{{0, 1, 1}, {0, 2, 0}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}}));
  EXPECT_EQ(connected.unserved, (workload::Demand{{0, 3, 3_B}}));
}

TEST(OcsMaxMin, PartialWiringStaysWithinItsBound) {
  int at_bound = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    OcsLimits limits = full(8, 6);
    limits.wiring.resize(6);
    for (std::vector<int>& here : limits.wiring) {
      for (int device = 0; device < 8; ++device) {
        if (random(4) != 0) here.push_back(device);
      }
    }
    const workload::Demand demand = random_demand(random, 8, 25, 20);
    const Provisioned result = provision_max_min(limits, demand, seed % 2 == 0);
    ASSERT_EQ(why(flaw_of(limits, demand, result)), "no objection");
    OcsLimits all = limits;
    all.wiring.clear();
    ASSERT_LE(result.bound, provision_max_min(all, demand).rate);
    at_bound += result.rate == result.bound;
  }
  EXPECT_GE(at_bound, 100);
}

TEST(OcsMaxMin, CompleteWiringGivesTheSameResultAsNoWiring) {
  OcsLimits limits = full(5, 3);
  limits.wiring.assign(3, {0, 1, 2, 3, 4});
  const workload::Demand demand = {{0, 1, 2_B}, {1, 2, 1_B}, {2, 0, 4_B}};
  EXPECT_EQ(provision_max_min(limits, demand).rate, provision_max_min(full(5, 3), demand).rate);
}

}  // namespace
}  // namespace loom::fabric
