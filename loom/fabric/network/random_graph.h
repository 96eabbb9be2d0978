// Random simple connected regular graphs, by random edge swaps from a circulant graph.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace loom::fabric {

// Requires 1 <= degree < vertices, an even degree · vertices, and degree 1 only for two vertices.
// The same seed gives the same graph on every machine.
std::vector<std::pair<int, int>> random_regular_graph(int vertices, int degree, std::uint64_t seed);

}  // namespace loom::fabric
