#include "loom/photonic/serving/estimate.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace loom::photonic {
namespace {

TEST(Estimate, IsAMeanWithAStudentTInterval) {
  const std::array<double, 3> values = {1, 2, 3};
  const Estimate estimate = estimate_of(values);
  EXPECT_DOUBLE_EQ(estimate.mean, 2);
  EXPECT_NEAR(estimate.half, 4.303 * 0.57735,
              1e-4);  // t for two degrees of freedom times s / sqrt(3)
  EXPECT_EQ(estimate.runs, 3);
  EXPECT_EQ(estimate_of(std::array<double, 1>{5}).half, 0);
}

TEST(Estimate, ManyRunsApproachTheNormalInterval) {
  std::vector<double> values;
  for (int i = 0; i < 41; ++i) values.push_back(i % 2);
  // Student's t for 40 degrees of freedom is 2.0211.
  double squares = 0;
  const Estimate estimate = estimate_of(values);
  for (const double it : values) squares += (it - estimate.mean) * (it - estimate.mean);
  EXPECT_NEAR(estimate.half / std::sqrt(squares / 40 / 41), 2.0211, 2e-3);
}

}  // namespace
}  // namespace loom::photonic
