#include "loom/fabric/circuits/provision/topology/ring_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "loom/base/random.h"

namespace loom::fabric {
namespace {

using ::testing::ElementsAre;

bool visits_all(int n, int step) {
  int visited = 0;
  for (int at = 0; visited == 0 || at != 0; at = (at + step) % n) ++visited;
  return visited == n;
}

// Breadth-first search over arbitrary successors.
RingDistances distances_over(int n, const std::vector<std::vector<int>>& next) {
  RingDistances worst;
  for (int from = 0; from < n; ++from) {
    std::vector<int> distance(static_cast<std::size_t>(n), -1);
    std::vector<int> open = {from};
    distance[static_cast<std::size_t>(from)] = 0;
    RingDistances here;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const int hops = distance[static_cast<std::size_t>(open[i])];
      here.diameter = std::max(here.diameter, hops);
      here.hops += hops;
      for (const int to : next[static_cast<std::size_t>(open[i])]) {
        if (distance[static_cast<std::size_t>(to)] >= 0) continue;
        distance[static_cast<std::size_t>(to)] = hops + 1;
        open.push_back(to);
      }
    }
    if (static_cast<int>(open.size()) < n) return {kNoPath, 0};
    worst.diameter = std::max(worst.diameter, here.diameter);
    worst.hops = std::max(worst.hops, here.hops);
  }
  return worst;
}

std::vector<std::vector<int>> successors(int n, const std::vector<int>& steps, bool bidirectional) {
  std::vector<std::vector<int>> next(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    for (const int step : steps) {
      next[static_cast<std::size_t>(i)].push_back((i + step) % n);
      if (bidirectional) next[static_cast<std::size_t>(i)].push_back((i + n - step) % n);
    }
  }
  return next;
}

TEST(RingSteps, AreExactlyThoseWhoseRingVisitsAll) {
  for (int n = 2; n <= 200; ++n) {
    std::vector<int> walked;
    for (int step = 1; step < n; ++step) {
      if (visits_all(n, step)) walked.push_back(step);
    }
    EXPECT_EQ(totient_steps(n), walked) << n;
  }
}

TEST(RingSteps, BeyondTheLimitAreOneAndPrimes) {
  const std::vector<int> steps = totient_steps(5000);
  EXPECT_EQ(steps[0], 1);
  EXPECT_EQ(steps[1], 3);
  EXPECT_EQ(steps[2], 7);
  for (const int step : steps) EXPECT_TRUE(visits_all(5000, step));
}

TEST(RingSteps, DistancesAreThoseOfABreadthFirstSearch) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random = random_stream(seed, 31);
    const int n = 2 + static_cast<int>(random(200));
    std::vector<int> steps;
    for (unsigned i = 0; i <= random(4); ++i) {
      steps.push_back(1 + static_cast<int>(random(static_cast<std::uint32_t>(n - 1))));
    }
    const bool bidirectional = random(2) == 0;
    EXPECT_EQ(ring_distances(n, steps, bidirectional),
              distances_over(n, successors(n, steps, bidirectional)))
        << "seed " << seed;
  }
}

TEST(RingSteps, OptimalStepsHaveTheDiametersOfAnExhaustiveSearch) {
  const auto best = [](int n, int degree) {
    return choose_steps(n, degree / 2, true, StepChoice::optimal);
  };
  EXPECT_EQ(best(16, 4).distances.diameter, 4);
  EXPECT_THAT(best(16, 4).steps, ElementsAre(1, 3));
  EXPECT_EQ(best(64, 4).distances.diameter, 6);
  EXPECT_THAT(best(64, 4).steps, ElementsAre(1, 19));
  EXPECT_EQ(best(128, 4).distances.diameter, 8);
  EXPECT_THAT(best(128, 4).steps, ElementsAre(1, 15));
  EXPECT_EQ(best(128, 8).distances.diameter, 4);
  EXPECT_THAT(best(128, 8).steps, ElementsAre(1, 5, 21, 35));
  EXPECT_EQ(best(432, 4).distances.diameter, 16);
  EXPECT_THAT(best(432, 4).steps, ElementsAre(1, 77));
  EXPECT_EQ(best(1024, 4).distances.diameter, 24);
  EXPECT_THAT(best(1024, 4).steps, ElementsAre(1, 163));
  for (const int n : {16, 64, 128, 432, 1024}) EXPECT_TRUE(best(n, 4).exhaustive) << n;
}

// The local search is not exhaustive and has no such guarantee, but it starts from the geometric
// choice.
TEST(RingSteps, OptimalStepsAreNeverWorseThanGeometricSteps) {
  for (const int n : {2, 3, 5, 6, 12, 48, 255}) {
    for (const int rings : {1, 2, 8}) {
      for (const bool bidirectional : {false, true}) {
        EXPECT_LE(choose_steps(n, rings, bidirectional, StepChoice::optimal).distances,
                  choose_steps(n, rings, bidirectional, StepChoice::geometric).distances)
            << n << ' ' << rings << ' ' << bidirectional;
      }
    }
  }
}

// With directed wiring the constant of O(d · n^(1/d)) is 1.
TEST(RingSteps, GeometricStepsKeepTheDiameterBelowDegreeTimesItsRoot) {
  for (int n = 2; n <= 2048; ++n) {
    for (const int degree : {2, 4, 8}) {
      const ChosenSteps chosen = choose_steps(n, degree, false, StepChoice::geometric);
      EXPECT_LE(chosen.distances.diameter, degree * std::pow(n, 1.0 / degree) + 1e-9)
          << n << ' ' << degree;
    }
  }
}

// Min diameter of two directed rings, one of them 0, 1, 2, …: any other is a renumbering.
int min_diameter_of_any_rings(int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  int min_diameter = kNoPath;
  do {
    std::vector<std::vector<int>> next = successors(n, {1}, false);
    for (int i = 0; i < n; ++i) {
      next[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])].push_back(
          order[static_cast<std::size_t>((i + 1) % n)]);
    }
    min_diameter = std::min(min_diameter, distances_over(n, next).diameter);
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return min_diameter;
}

// Cost of considering regular rings only, for 3 to 8 positions: with 6 positions only the ring and
// its reverse are regular.
TEST(RingSteps, ForFewPositionsAreAtMostOneHopWorseThanAnyTwoRings) {
  std::vector<int> gap;
  for (int n = 3; n <= 8; ++n) {
    const ChosenSteps chosen = choose_steps(n, 2, false, StepChoice::optimal);
    gap.push_back(chosen.distances.diameter - min_diameter_of_any_rings(n));
  }
  EXPECT_THAT(gap, ElementsAre(0, 0, 0, 1, 0, 0));
}

TEST(RingSteps, AreRepeatedIfThereAreTooFew) {
  EXPECT_THAT(choose_steps(2, 3, false, StepChoice::optimal).steps, ElementsAre(1, 1, 1));
  EXPECT_THAT(choose_steps(6, 4, false, StepChoice::optimal).steps, ElementsAre(1, 5, 1, 5));
  EXPECT_THAT(choose_steps(6, 2, true, StepChoice::geometric).steps, ElementsAre(1, 1));
}

}  // namespace
}  // namespace loom::fabric
