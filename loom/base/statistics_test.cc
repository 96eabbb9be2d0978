#include "loom/base/statistics.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace loom {
namespace {

TEST(Percentile, IsTheSmallestValueThatTheFractionDoesNotExceed) {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 1);
  for (int percent = 1; percent <= 100; ++percent) {
    EXPECT_EQ(percentile(values, percent / 100.0), percent);
  }
  EXPECT_EQ(percentile(values, 0.991), 100);
}

TEST(Percentile, OfNothingIsTheFirstAndOfAllTheLast) {
  const std::vector<int> values = {3, 5, 9};
  EXPECT_EQ(percentile(values, 0), 3);
  EXPECT_EQ(percentile(values, 1), 9);
  EXPECT_EQ(percentile(std::vector<int>{3}, 0.5), 3);
}

}  // namespace
}  // namespace loom
