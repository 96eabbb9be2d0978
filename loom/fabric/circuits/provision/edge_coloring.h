// Edge coloring of a bipartite multigraph: edges that share an end get different colors.
//
// As many colors as the max degree are enough (König, 1916). An edge takes a color free at both
// ends; if there is none, colors are swapped along the path that alternates between a color free at
// one end and a color free at the other. Takes O(edges · (colors + vertices)), in practice far
// less: paths are short.
#pragma once

#include <span>
#include <vector>

namespace loom::fabric {

struct BipartiteEdge {
  int left = 0;
  int right = 0;
};

// Color of each edge, from 0 to colors - 1. Needs at most `colors` edges per vertex, and vertices
// numbered 0 to vertices - 1 on either side.
std::vector<int> color_edges(int vertices, int colors, std::span<const BipartiteEdge> edges);

}  // namespace loom::fabric
