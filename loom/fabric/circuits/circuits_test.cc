#include "loom/fabric/circuits/circuits.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"

namespace loom::fabric {
namespace {

const OcsLimits kSwitches{.devices = 4, .switches = 2, .ports = 4};
const RingLimits kRing{.devices = 6, .fibers = 2, .directions = 2, .wavelengths = 3, .reach = 4};

TEST(OcsCircuits, WithinTheLimitsHaveNoViolation) {
  EXPECT_EQ(why(violation(kSwitches, {})), "no objection");
  EXPECT_EQ(why(violation(kSwitches, {{0, 1, 0}, {0, 1, 1}, {1, 0, 0}, {2, 3, 0}})),
            "no objection");
}

TEST(OcsCircuits, NeedTwoDevicesAndASwitch) {
  EXPECT_EQ(why(violation(kSwitches, {{0, 4, 0}})),
            "circuit 0 -> 4 on plane 0: two different devices out of 4 are needed");
  EXPECT_EQ(why(violation(kSwitches, {{2, 2, 0}})),
            "circuit 2 -> 2 on plane 0: two different devices out of 4 are needed");
  EXPECT_EQ(why(violation(kSwitches, {{-1, 2, 0}})),
            "circuit -1 -> 2 on plane 0: two different devices out of 4 are needed");
  EXPECT_EQ(why(violation(kSwitches, {{0, 1, 2}})),
            "circuit 0 -> 1 on plane 2: there are 2 planes");
}

TEST(OcsCircuits, TakeOnePortOfASwitchOutAndOneIn) {
  EXPECT_EQ(why(violation(kSwitches, {{0, 1, 1}, {0, 2, 1}})),
            "circuit 0 -> 2 on plane 1: device 0 already sends on it");
  EXPECT_EQ(why(violation(kSwitches, {{0, 2, 1}, {1, 2, 1}})),
            "circuit 1 -> 2 on plane 1: device 2 already receives on it");
}

TEST(OcsCircuits, StayWithinTheWiringAndThePorts) {
  OcsLimits limits = kSwitches;
  limits.ports = 3;
  EXPECT_EQ(why(violation(limits, {})), "switch 0 has 4 devices but 3 ports");
  limits.wiring = {{0, 1, 2}, {1, 3}};
  EXPECT_EQ(why(violation(limits, {{0, 1, 0}, {1, 3, 1}})), "no objection");
  EXPECT_EQ(why(violation(limits, {{0, 3, 1}})),
            "circuit 0 -> 3 on plane 1: device 0 is not wired to it");
  EXPECT_EQ(why(violation(limits, {{1, 3, 0}})),
            "circuit 1 -> 3 on plane 0: device 3 is not wired to it");
}

TEST(RingCircuits, ReuseAWavelengthWhereArcsShareNoSegment) {
  EXPECT_EQ(why(violation(kRing, {{0, 2, 0, 1}, {2, 0, 0, 1}})), "no objection");
  EXPECT_EQ(why(violation(kRing, {{0, 2, 0, 1}, {1, 3, 1, 1}, {1, 3, 2, 1}, {1, 3, 0, 2}})),
            "no objection");
  EXPECT_EQ(why(violation(kRing, {{0, 2, 0, 1}, {1, 3, 0, 1}})),
            "circuit 1 -> 3 on plane 0: wavelength 1 is taken on segment 1");
  EXPECT_EQ(why(violation(kRing, {{1, 5, 1, 0}, {0, 5, 1, 0}})),
            "circuit 0 -> 5 on plane 1: wavelength 0 is taken on segment 5");
}

TEST(RingCircuits, WithoutReuseEachTakeAWavelengthOfTheirOwn) {
  RingLimits limits = kRing;
  limits.reuse = false;
  EXPECT_EQ(why(violation(limits, {{0, 1, 0, 1}, {3, 4, 0, 1}})),
            "circuit 3 -> 4 on plane 0: wavelength 1 is taken on segment 0");
  EXPECT_EQ(why(violation(limits, {{0, 1, 0, 1}, {3, 4, 0, 2}, {4, 3, 1, 1}})), "no objection");
}

TEST(RingCircuits, StayWithinPlanesWavelengthsDirectionsAndReach) {
  EXPECT_EQ(why(violation(kRing, {{0, 1, 4, 0}})), "circuit 0 -> 1 on plane 4: there are 4 planes");
  EXPECT_EQ(why(violation(kRing, {{0, 1, 0, 3}})),
            "circuit 0 -> 1 on plane 0: wavelength 3 does not exist; there are 3");
  EXPECT_EQ(why(violation(kRing, {{0, 5, 0, 0}})),
            "circuit 0 -> 5 on plane 0: the arc has 5 segments; the reach is 4");
  RingLimits limits = kRing;
  limits.directions = 1;
  EXPECT_EQ(why(violation(limits, {{0, 1, 1, 0}})),
            "circuit 0 -> 1 on plane 1: the ring has one direction");
}

TEST(RingLimits, AnArcAndItsReturnArcMakeTheRing) {
  EXPECT_EQ(kRing.colors(), 6);
  EXPECT_EQ(kRing.arc(4, 1, kClockwise), 3);
  EXPECT_EQ(kRing.arc(4, 0, kCounterclockwise), 4);
  EXPECT_TRUE(kRing.reaches(4, 0, kCounterclockwise));
  EXPECT_FALSE(kRing.reaches(0, 5, kClockwise));
}

TEST(Circuits, AreCountedByPair) {
  EXPECT_EQ(by_pair({{1, 0, 0}, {0, 1, 1}, {1, 0, 3}}),
            (std::vector<PairCircuits>{{0, 1, 1}, {1, 0, 2}}));
}

}  // namespace
}  // namespace loom::fabric
