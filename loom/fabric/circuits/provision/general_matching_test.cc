#include "loom/fabric/circuits/provision/general_matching.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/random.h"

namespace loom::fabric {
namespace {

std::vector<PairWeight> random_graph(Random& random, int vertices, unsigned percent,
                                     std::uint32_t max_weight) {
  std::vector<PairWeight> edges;
  for (int a = 0; a < vertices; ++a) {
    for (int b = a + 1; b < vertices; ++b) {
      if (random(100) < percent) edges.push_back({a, b, std::int64_t{random(max_weight)}});
    }
  }
  return edges;
}

// Dynamic program over all subsets of vertices: the best matching within each.
std::int64_t best_weight(int vertices, const std::vector<PairWeight>& edges) {
  std::vector<std::vector<std::int64_t>> weight(
      static_cast<std::size_t>(vertices),
      std::vector<std::int64_t>(static_cast<std::size_t>(vertices), 0));
  for (const PairWeight& it : edges) {
    weight[static_cast<std::size_t>(it.a)][static_cast<std::size_t>(it.b)] = it.weight;
  }
  std::vector<std::int64_t> best(std::size_t{1} << vertices, 0);
  for (std::size_t set = 1; set < best.size(); ++set) {
    const auto a = static_cast<std::size_t>(__builtin_ctzll(set));
    const std::size_t rest = set & (set - 1);
    best[set] = best[rest];
    for (std::size_t b = a + 1; b < static_cast<std::size_t>(vertices); ++b) {
      const std::size_t bit = std::size_t{1} << b;
      if ((rest & bit) == 0) continue;
      best[set] = std::max(best[set], best[rest & ~bit] + weight[a][b]);
    }
  }
  return best.back();
}

void expect_best(int vertices, const std::vector<PairWeight>& edges) {
  std::vector<int> uses(static_cast<std::size_t>(vertices), 0);
  std::int64_t sum = 0;
  for (const int e : max_weight_general_matching(vertices, edges)) {
    const PairWeight& it = edges[static_cast<std::size_t>(e)];
    sum += it.weight;
    EXPECT_GT(it.weight, 0);
    EXPECT_EQ(uses[static_cast<std::size_t>(it.a)]++, 0);
    EXPECT_EQ(uses[static_cast<std::size_t>(it.b)]++, 0);
  }
  EXPECT_EQ(sum, best_weight(vertices, edges));
}

TEST(GeneralMatching, HasTheMaxWeightOfAllMatchings) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 41);
    const int vertices = 1 + static_cast<int>(random(8));
    expect_best(vertices, random_graph(random, vertices, 60, seed % 2 == 0 ? 5 : 1U << 30));
  }
}

// Vertices have more edges than the first pass considers.
TEST(GeneralMatching, HasTheMaxWeightInDenseGraphsToo) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 42);
    std::vector<PairWeight> edges = random_graph(random, 19, 100, 1000);
    for (PairWeight& it : edges)
      it.weight += it.b < 17 ? 5000 : 1;  // edges to the last two vertices are the lightest
    expect_best(19, edges);
  }
}

}  // namespace
}  // namespace loom::fabric
