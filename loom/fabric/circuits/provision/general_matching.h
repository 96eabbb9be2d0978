// Matchings of most weight in a graph that need not be bipartite: who is joined to whom both ways.
//
// Edmonds' blossom algorithm as LEMON has it. Its headers are not C++20, so the one source behind
// this header is compiled as C++17, and the header is plain enough for both. A dense graph is
// matched over the heaviest edges first, and again with those that the prices of the vertices do
// not rule out.
#pragma once

#include <cstdint>
#include <vector>

namespace loom {

struct PairWeight {
  int a = 0;
  int b = 0;
  std::int64_t weight = 0;
};

// The edges of a matching of most weight, in order. Needs vertices numbered 0 to vertices - 1, and
// weights whose sum over a matching stays below 2^60; edges without weight are not matched.
std::vector<int> max_weight_general_matching(int vertices, const std::vector<PairWeight>& edges);

}  // namespace loom
