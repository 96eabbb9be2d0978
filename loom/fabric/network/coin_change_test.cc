#include "loom/fabric/network/coin_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "loom/fabric/circuits/provision/topology/ring_steps.h"

namespace loom::fabric {
namespace {

TEST(CoinChange, CoversEveryDistanceInTheFewestSteps) {
  for (const int n : {2, 3, 16, 45, 128}) {
    for (const int rings : {1, 2, 4}) {
      const std::vector<int> steps = choose_steps(n, rings, false, StepChoice::optimal).steps;
      const CoinChange coins(n, steps);
      std::int64_t hops = 0;
      for (int distance = 0; distance < n; ++distance) {
        const std::vector<int> path = coins.path(distance);
        EXPECT_EQ(std::accumulate(path.begin(), path.end(), 0) % n, distance);
        EXPECT_EQ(static_cast<int>(path.size()), coins.hops(distance));
        hops += coins.hops(distance);
        for (const int step : path) {
          EXPECT_EQ(std::count(steps.begin(), steps.end(), step) > 0, true);
        }
      }
      EXPECT_EQ(hops, ring_distances(n, steps, false).hops) << n << ' ' << rings;
    }
  }
}

TEST(CoinChange, TakesLargerStepsFirst) {
  EXPECT_THAT(CoinChange(16, std::vector<int>{1, 5}).path(7), ::testing::ElementsAre(5, 1, 1));
}

TEST(CoinChange, SaysWhereThereIsNoPath) {
  const CoinChange even(6, std::vector<int>{2});
  EXPECT_EQ(even.hops(3), -1);
  EXPECT_TRUE(even.path(3).empty());
}

}  // namespace
}  // namespace loom::fabric
