#include "loom/fabric/circuits/provision/matching.h"

#include <gtest/gtest.h>

#include <set>

#include "loom/base/random.h"

namespace loom::fabric {
namespace {

std::vector<WeightedEdge> random_edges(Random& random, int vertices) {
  const unsigned percent = 20 + random(81);
  const unsigned max_weight = random(2) == 0 ? 4 : 1000;
  std::vector<WeightedEdge> edges;
  for (int left = 0; left < vertices; ++left) {
    for (int right = 0; right < vertices; ++right) {
      if (random(100) < percent) edges.push_back({left, right, random(max_weight)});
    }
  }
  return edges;
}

std::int64_t brute_force_max(const std::vector<WeightedEdge>& edges, std::size_t at, unsigned left,
                             unsigned right) {
  if (at == edges.size()) return 0;
  const unsigned l = 1U << edges[at].left;
  const unsigned r = 1U << edges[at].right;
  const std::int64_t without = brute_force_max(edges, at + 1, left, right);
  if ((left & l) != 0 || (right & r) != 0) return without;
  return std::max(without, edges[at].weight + brute_force_max(edges, at + 1, left | l, right | r));
}

TEST(Matching, HasTheMaxWeightOfAllMatchings) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const int vertices = 1 + static_cast<int>(random(5));
    const std::vector<WeightedEdge> edges = random_edges(random, vertices);
    std::set<int> left;
    std::set<int> right;
    std::int64_t weight = 0;
    for (const int edge : max_weight_matching(vertices, edges)) {
      ASSERT_TRUE(left.insert(edges[edge].left).second);
      ASSERT_TRUE(right.insert(edges[edge].right).second);
      weight += edges[edge].weight;
    }
    ASSERT_EQ(weight, brute_force_max(edges, 0, 0, 0));
  }
}

TEST(Matching, OfNoEdgesIsEmpty) { EXPECT_TRUE(max_weight_matching(3, {}).empty()); }

}  // namespace
}  // namespace loom::fabric
