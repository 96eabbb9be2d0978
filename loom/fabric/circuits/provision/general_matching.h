// Max-weight matching in a general graph: chooses pairs of devices to connect in both directions.
//
// Edmonds' blossom algorithm as implemented by LEMON. The headers of LEMON are not valid C++20, so
// general_matching.cc is compiled as C++17; this header is valid in both. A dense graph is matched
// over its heaviest edges first, and then again with the edges that the dual values do not rule
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
