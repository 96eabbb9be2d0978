// Max-weight matching in a bipartite graph.
//
// Successive shortest paths with dual values (Kuhn and Munkres, in the form of Edmonds and Karp):
// left vertices are added one by one, each along the shortest path to a free right vertex, or to a
// left vertex that becomes unmatched, whichever costs less weight. A search stops at the best end
// found, so most searches visit only a small subset of the graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loom::fabric {

struct WeightedEdge {
  int left = 0;
  int right = 0;
  std::int64_t weight = 0;
};

// Indices of the edges of a max-weight matching, sorted. Needs edges sorted by left vertex, and
// vertices numbered 0 to vertices - 1 on either side; edges of zero weight are not matched.
std::vector<int> max_weight_matching(int vertices, std::span<const WeightedEdge> edges);

}  // namespace loom::fabric
