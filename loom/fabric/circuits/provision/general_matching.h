// Max-weight matching in a general graph: which devices are connected to each other in both
// directions.
//
// Edmonds' blossom algorithm as implemented by LEMON. Its headers are not C++20, so the one source
// behind this header is compiled as C++17, and the header is valid in both. A dense graph is
// matched over its heaviest edges first, and again with the edges that the dual values do not rule
// out.
#pragma once

#include <cstdint>
#include <vector>

namespace loom::fabric {

struct PairWeight {
  int a = 0;
  int b = 0;
  std::int64_t weight = 0;
};

// Indices of the edges of a max-weight matching, sorted. Needs vertices numbered 0 to vertices - 1,
// and weights whose sum over a matching stays below 2^60; edges of zero weight are not matched.
std::vector<int> max_weight_general_matching(int vertices, const std::vector<PairWeight>& edges);

}  // namespace loom::fabric
