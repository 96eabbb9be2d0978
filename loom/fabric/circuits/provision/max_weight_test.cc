#include "loom/fabric/circuits/provision/max_weight.h"

#include "loom/base/testing.h"
#include "loom/fabric/circuits/provision/testing.h"

namespace loom::fabric {
namespace {

TEST(MaxWeight, EveryResultOnSwitchesIsFeasibleAndReportedCorrectly) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    OcsLimits limits{.devices = 2 + static_cast<int>(random(14)),
                     .switches = 1 + static_cast<int>(random(8)),
                     .ports = 16};
    for (int plane = 0; seed % 3 == 0 && plane < limits.switches; ++plane) {
      limits.wiring.emplace_back();
      for (int device = 0; device < limits.devices; ++device) {
        if (random(3) != 0) limits.wiring.back().push_back(device);
      }
    }
    const workload::Demand demand = random_demand(random, limits.devices, random(101), 50);
    const Provisioned result = provision_max_weight(limits, demand);
    ASSERT_EQ(why(flaw_of(limits, demand, result)), "no objection");
    ASSERT_EQ(result.circuits, provision_max_weight(limits, demand).circuits);
  }
}

TEST(MaxWeight, EveryResultOnRingsIsFeasibleAndReportedCorrectly) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const RingLimits limits{.devices = 2 + static_cast<int>(random(14)),
                            .fibers = 1 + static_cast<int>(random(2)),
                            .directions = 1 + static_cast<int>(random(2)),
                            .wavelengths = 1 + static_cast<int>(random(6)),
                            .reach = static_cast<int>(random(2) * random(6)),
                            .reuse = random(4) != 0};
    const workload::Demand demand = random_demand(random, limits.devices, random(101), 50);
    const Provisioned result = provision_max_weight(limits, demand);
    ASSERT_EQ(why(flaw_of(limits, demand, result)), "no objection");
    ASSERT_EQ(result.circuits, provision_max_weight(limits, demand).circuits);
  }
}

TEST(MaxWeight, LargePairsComeFirstAndCountLessWithEachCircuit) {
  const OcsLimits limits{.devices = 3, .switches = 4, .ports = 3};
  // The first pair has weights 10, 5, 10/3 and 10/4; the second, of weight 3, comes before 10/4.
  const Provisioned result = provision_max_weight(limits, {{0, 1, 10_B}, {0, 2, 3_B}});
  EXPECT_EQ(by_pair(result.circuits), (std::vector<PairCircuits>{{0, 1, 3}, {0, 2, 1}}));
}

TEST(MaxWeight, AMatchingMayLeaveTheLargestPairOut) {
  const OcsLimits limits{.devices = 3, .switches = 1, .ports = 3};
  const workload::Demand demand = {{0, 1, 3_B}, {0, 2, 2_B}, {2, 1, 2_B}};
  EXPECT_EQ(provision_max_weight(limits, demand).circuits, (Circuits{{0, 2, 0}, {2, 1, 0}}));
}

TEST(MaxWeight, WithoutDemandProvisionsNothing) {
  EXPECT_TRUE(provision_max_weight(OcsLimits{.devices = 3, .ports = 3}, {}).circuits.empty());
  EXPECT_TRUE(provision_max_weight(RingLimits{.devices = 3}, {}).circuits.empty());
}

}  // namespace
}  // namespace loom::fabric
