#include "loom/fabric/circuits/provision/ring_max_min.h"

#include "loom/base/testing.h"
#include "loom/fabric/circuits/provision/testing.h"

namespace loom::fabric {
namespace {

RingLimits ring(int devices, int wavelengths, int directions = 2) {
  return {.devices = devices, .directions = directions, .wavelengths = wavelengths};
}

RingLimits random_ring(Random& random) {
  RingLimits limits = ring(2 + static_cast<int>(random(14)), 1 + static_cast<int>(random(8)),
                           1 + static_cast<int>(random(2)));
  limits.fibers = 1 + static_cast<int>(random(3));
  limits.reach = static_cast<int>(random(3)) == 0 ? 1 + static_cast<int>(random(8)) : 0;
  limits.reuse = random(4) != 0;
  return limits;
}

TEST(RingMaxMin, EveryResultIsFeasibleAndReportedCorrectly) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const RingLimits limits = random_ring(random);
    const workload::Demand demand = random_demand(random, limits.devices, random(101), 50);
    const Provisioned result = provision_max_min(limits, demand);
    ASSERT_EQ(why(flaw_of(limits, demand, result)), "no objection");
    ASSERT_LE(result.load, result.wavelengths);
    ASSERT_LE(result.wavelengths, limits.colors());
    ASSERT_EQ(result.circuits, provision_max_min(limits, demand).circuits);
    const Provisioned connected = provision_max_min(limits, demand, true);
    ASSERT_EQ(why(flaw_of(limits, demand, connected)), "no objection");
    ASSERT_TRUE(!limits.reuse || connected.unserved.empty() ||
                strongly_connected(limits.devices, connected.circuits));
  }
}

TEST(RingMaxMin, MoreWavelengthsNeverLowerTheBound) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const workload::Demand demand = random_demand(random, 9, 30, 30);
    for (const int directions : {1, 2}) {
      double before = 0;
      for (int wavelengths = 1; wavelengths <= 40; wavelengths += 3) {
        const double bound = max_min_bound(ring(9, wavelengths, directions), demand);
        ASSERT_GE(bound, before);
        before = bound;
      }
      ASSERT_GT(before, 0);
    }
  }
}

TEST(RingMaxMin, NoPairCanHaveAnotherCircuit) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const RingLimits limits = random_ring(random);
    const workload::Demand demand = random_demand(random, limits.devices, 30, 50);
    Circuits circuits = provision_max_min(limits, demand).circuits;
    for (const workload::PairDemand& it : demand) {
      for (int plane = 0; plane < 2 * limits.fibers; ++plane) {
        for (int wavelength = 0; wavelength < limits.wavelengths; ++wavelength) {
          circuits.push_back({it.from, it.to, plane, wavelength});
          ASSERT_TRUE(violation(limits, circuits)) << it.from << " to " << it.to;
          circuits.pop_back();
        }
      }
    }
  }
}

TEST(RingMaxMin, WavelengthAssignmentCostsTheWorstPairLittle) {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random = random_stream(seed);
    const Provisioned result = provision_max_min(ring(32, 64), random_demand(random, 32, 20, 100));
    EXPECT_GE(result.rate, 0.85 * result.bound) << seed;
    sum += result.rate / result.bound;
  }
  EXPECT_GE(sum / 20, 0.97);
}

TEST(RingMaxMin, TwoDirectionsServeAtLeastAsWellAsOne) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const workload::Demand demand = random_demand(random, 9, 40, 30);
    ASSERT_GE(max_min_bound(ring(9, 12, 2), demand), max_min_bound(ring(9, 12, 1), demand));
  }
}

TEST(RingMaxMin, WithoutDemandProvisionsNothing) {
  EXPECT_TRUE(provision_max_min(ring(4, 2), {}).circuits.empty());
  EXPECT_TRUE(provision_max_min(ring(4, 2), {}, true).circuits.empty());
}

TEST(RingMaxMin, ASinglePairHasAllWavelengthsInBothDirections) {
  const Provisioned result = provision_max_min(ring(2, 2), {{0, 1, 8_B}});
  EXPECT_EQ(result.circuits, (Circuits{{0, 1, 0, 0}, {0, 1, 0, 1}, {0, 1, 1, 0}, {0, 1, 1, 1}}));
  EXPECT_EQ(result.rate, 0.5);
  EXPECT_EQ(result.bound, 0.5);
  EXPECT_EQ(result.wavelengths, 2);
  EXPECT_EQ(result.load, 2);
}

TEST(RingMaxMin, PrefersTheShorterArc) {
  const Provisioned result = provision_max_min(ring(8, 1), {{0, 2, 1_B}, {2, 4, 1_B}, {6, 4, 1_B}});
  EXPECT_EQ(result.rate, 1);
  EXPECT_EQ(result.circuits, (Circuits{{0, 2, 0, 0}, {2, 4, 0, 0}, {6, 4, 1, 0}}));
}

TEST(RingMaxMin, SplitsWhereThatServesTheWorstPairBetter) {
  // Both shorter arcs are clockwise and share segment 1; with some circuits sent the other way each
  // pair has more.
  const workload::Demand demand = {{0, 2, 1_B}, {1, 3, 1_B}};
  EXPECT_EQ(provision_max_min(ring(8, 4, 1), demand).rate, 2);
  EXPECT_EQ(provision_max_min(ring(8, 4, 2), demand).rate, 4);
}

TEST(RingMaxMin, DoesNotCountHalfACircuit) {
  // Any two of the three overlap in either direction: see ring_split.h.
  const workload::Demand demand = {{0, 3, 1_B}, {2, 5, 1_B}, {4, 1, 1_B}};
  EXPECT_EQ(max_min_bound(ring(6, 1), demand), 0);
  // One circuit in each direction fits the load of two wavelengths, but the three arcs cannot be
  // colored with two.
  EXPECT_EQ(max_min_bound(ring(6, 2), demand), 2);
  EXPECT_EQ(provision_max_min(ring(6, 2), demand).rate, 1);
  EXPECT_EQ(provision_max_min(ring(6, 3), demand).rate, 2);
}

TEST(RingMaxMin, ArcsBeyondReachAreNotUsed) {
  RingLimits limits = ring(8, 4);
  limits.reach = 3;
  const Provisioned result = provision_max_min(limits, {{0, 2, 1_B}, {0, 4, 1_B}});
  EXPECT_EQ(by_pair(result.circuits), (std::vector<PairCircuits>{{0, 2, 4}}));
  EXPECT_EQ(result.unserved, (workload::Demand{{0, 4, 1_B}}));
  EXPECT_EQ(result.bound, 0);
}

TEST(RingMaxMin, WithoutReuseAllCircuitsShareTheWavelengths) {
  RingLimits limits = ring(8, 3);
  limits.reuse = false;
  const workload::Demand demand = {{0, 1, 1_B}, {2, 3, 2_B}, {4, 5, 3_B}};
  const Provisioned result = provision_max_min(limits, demand);
  EXPECT_EQ(by_pair(result.circuits), (std::vector<PairCircuits>{{0, 1, 1}, {2, 3, 2}, {4, 5, 3}}));
  EXPECT_EQ(result.rate, 1);
  EXPECT_EQ(result.bound, 1);
}

TEST(RingMaxMin, WithMorePairsThanWavelengthsTheLargestAreServed) {
  const workload::Demand demand = {{0, 2, 1_B}, {1, 3, 3_B}, {1, 4, 2_B}};
  const Provisioned result = provision_max_min(ring(6, 2, 1), demand);
  EXPECT_EQ(by_pair(result.circuits), (std::vector<PairCircuits>{{1, 3, 1}, {1, 4, 1}}));
  EXPECT_EQ(result.unserved, (workload::Demand{{0, 2, 1_B}}));
  const Provisioned connected = provision_max_min(ring(6, 2, 1), demand, true);
  EXPECT_EQ(by_pair(connected.circuits),
            (std::vector<PairCircuits>{
                {0, 1, 1}, {1, 2, 1}, {1, 3, 1}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1}, {5, 0, 1}}));
  EXPECT_EQ(connected.unserved, (workload::Demand{{0, 2, 1_B}, {1, 4, 2_B}}));
}

}  // namespace
}  // namespace loom::fabric
