#include "loom/fabric/circuits/provision/edge_coloring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "loom/base/random.h"

namespace loom::fabric {
namespace {

// -1 if two edges with a common end have the same color; else the max degree.
int degree_if_proper(int vertices, const std::vector<BipartiteEdge>& edges,
                     const std::vector<int>& colors) {
  std::vector<std::vector<int>> at(2 * static_cast<std::size_t>(vertices));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    at[edges[i].left].push_back(colors[i]);
    at[vertices + edges[i].right].push_back(colors[i]);
  }
  std::size_t degree = 0;
  for (const std::vector<int>& it : at) {
    if (std::set<int>(it.begin(), it.end()).size() != it.size()) return -1;
    degree = std::max(degree, it.size());
  }
  return static_cast<int>(degree);
}

int degree_of(int vertices, const std::vector<BipartiteEdge>& edges) {
  std::vector<int> all(edges.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  return degree_if_proper(vertices, edges, all);
}

TEST(EdgeColoring, NeedsAsManyColorsAsTheMaxDegree) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const int vertices = 1 + static_cast<int>(random(12));
    std::vector<BipartiteEdge> edges(random(80));
    for (BipartiteEdge& it : edges) {
      it.left = static_cast<int>(random(static_cast<unsigned>(vertices)));
      it.right = static_cast<int>(random(static_cast<unsigned>(vertices)));
    }
    const int degree = degree_of(vertices, edges);
    const std::vector<int> colors = color_edges(vertices, degree, edges);
    ASSERT_EQ(degree_if_proper(vertices, edges, colors), degree);
    for (const int it : colors) ASSERT_TRUE(it >= 0 && it < degree);
  }
}

TEST(EdgeColoring, OfNoEdgesNeedsNoColor) { EXPECT_TRUE(color_edges(3, 0, {}).empty()); }

TEST(EdgeColoring, GivesParallelEdgesDifferentColors) {
  const std::vector<BipartiteEdge> edges(4, BipartiteEdge{.left = 1, .right = 0});
  EXPECT_EQ(color_edges(2, 4, edges), (std::vector<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace loom::fabric
