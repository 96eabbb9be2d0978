// Colours for the edges of a bipartite multigraph, such that edges that share an end differ.
//
// As many colours as the largest degree are enough (König, 1916). An edge takes a colour free at
// both its ends; where there is none, the colours of the path that alternates between one free at
// the first end and one free at the other are exchanged. Takes O(edges · (colours + vertices)),
// in practice far less: paths are short.
#pragma once

#include <span>
#include <vector>

namespace loom {

struct BipartiteEdge {
  int left = 0;
  int right = 0;
};

// The colour of each edge, from 0 to colours - 1. Needs that no vertex has more than `colours`
// edges, and vertices numbered 0 to vertices - 1 on either side.
std::vector<int> colour_edges(int vertices, int colours, std::span<const BipartiteEdge> edges);

}  // namespace loom
