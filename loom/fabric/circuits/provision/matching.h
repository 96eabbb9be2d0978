// Matchings of most weight in a bipartite graph.
//
// Successive shortest paths with prices (Kuhn and Munkres, in the form of Edmonds and Karp): left
// vertices come in one by one, each by the shortest path to a free right vertex or to a left one
// that is better left out. Searches end at the best end found, so most see little of the graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loom {

struct WeightedEdge {
  int left = 0;
  int right = 0;
  std::int64_t weight = 0;
};

// The edges of a matching of most weight, in order. Needs edges in order of their left vertex, and
// vertices numbered 0 to vertices - 1 on either side; edges without weight are not matched.
std::vector<int> max_weight_matching(int vertices, std::span<const WeightedEdge> edges);

}  // namespace loom
