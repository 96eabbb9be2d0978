#include "loom/fabric/circuits/loss_budget.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"

namespace loom::fabric {
namespace {

constexpr LossBudget kPlain{.laser_power = 10,
                            .receiver_sensitivity = -17,
                            .modulator_loss = 4,
                            .coupling_loss = 1,
                            .drop_loss = 2,
                            .ring_loss = 0.25,
                            .rings_per_device = 4,
                            .device_loss = 0.5,
                            .fiber_loss = 0.125,
                            .reserve = 3};

LossBudget read(const std::string& text) {
  return loss_budget({parse_yaml(text, "s.yaml"), kLossParameters, "ring"});
}

TEST(LossBudget, ANeighborIsReachedThroughThreeCouplersAndTheRingsOfBothEnds) {
  EXPECT_DOUBLE_EQ(loss(kPlain, 1), 4 + 3 * 1 + 2 * 1 + 0.125 + 2 + 3);
}

TEST(LossBudget, AFurtherSegmentCostsTwoCouplersTheRingsOfADeviceAndFiber) {
  for (int segments = 1; segments < 50; ++segments) {
    EXPECT_NEAR(loss(kPlain, segments + 1) - loss(kPlain, segments), 2 + 1 + 0.5 + 0.125, 1e-9);
  }
}

TEST(LossBudget, TheTermsAddUpToTheLoss) {
  double sum = 0;
  for (const LossTerm& term : loss_terms(kPlain, 3)) sum += term.total();
  EXPECT_DOUBLE_EQ(sum, loss(kPlain, 3));
  const std::vector<LossTerm> terms = loss_terms(kPlain, 3);
  EXPECT_EQ(terms[1].what, "coupling into or out of a chip");
  EXPECT_EQ(terms[1].times, 7);
  EXPECT_EQ(terms[1].total(), 7);
}

TEST(LossBudget, ReachIsTheMaxLengthWithAMargin) {
  for (int i = 0; i < 100; ++i) {
    LossBudget budget = kPlain;
    budget.laser_power = 0.7 * i - 2.8;  // starts where a neighbor is just reached
    const int max_reach = reach(budget);
    ASSERT_GE(max_reach, 1) << i;
    EXPECT_GE(margin(budget, max_reach), 0) << i;
    EXPECT_LT(margin(budget, max_reach + 1), 0) << i;
  }
}

TEST(LossBudget, ACircuitWithoutMarginIsStillReached) {
  LossBudget budget = kPlain;
  budget.laser_power = budget.receiver_sensitivity + loss(budget, 5);
  EXPECT_EQ(reach(budget), 5);
}

TEST(LossBudget, WithTooLittlePowerTheReachIsZero) {
  LossBudget budget = kPlain;
  budget.laser_power = -17;
  EXPECT_EQ(reach(budget), 0);
}

TEST(LossBudget, WithoutLossPerSegmentReachEndsOnlyAtItsLimit) {
  const LossBudget budget{.coupling_loss = 0, .ring_loss = 0, .fiber_loss = 0};
  EXPECT_EQ(reach(budget), kLongestReach);
}

TEST(LossBudget, ByDefaultLightPassesOneDeviceUnamplified) {
  const LossBudget budget;
  EXPECT_EQ(reach(budget), 2);
  EXPECT_NEAR(margin(budget, 2), 2.2384, 1e-9);
}

TEST(LossBudget, WithLosslessCouplersTheSameLightWouldPassTwentyThreeDevices) {
  LossBudget budget;
  budget.coupling_loss = 0;
  EXPECT_EQ(reach(budget), 24);
}

TEST(LossBudget, DefaultsAreThoseOfTheParameters) {
  const LossBudget budget = read("{}");
  const LossBudget plain;
  EXPECT_EQ(budget.laser_power, plain.laser_power);
  EXPECT_EQ(budget.receiver_sensitivity, plain.receiver_sensitivity);
  EXPECT_EQ(budget.device_loss, plain.device_loss);
  EXPECT_EQ(loss(budget, 1), loss(plain, 1));
  EXPECT_EQ(loss(budget, 100), loss(plain, 100));
}

TEST(LossBudget, ValuesAreReadWithTheirUnits) {
  const LossBudget budget = read("{laser_power: 10 dBm, ring_loss: 0.06 dB, rings_per_device: 80}");
  EXPECT_EQ(budget.laser_power, 10);
  EXPECT_EQ(budget.ring_loss, 0.06);
  EXPECT_EQ(budget.rings_per_device, 80);
  EXPECT_EQ(message([] { read("{laser_power: 10}"); }),
            "s.yaml:1: ring.laser_power is 10; an optical power is a number with dBm");
}

}  // namespace
}  // namespace loom::fabric
