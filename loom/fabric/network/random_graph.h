// Random simple connected graphs in which every vertex has the same number of edges.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace loom {

// Needs 1 <= degree < vertices, an even degree · vertices, and degree 1 only for two vertices. The
// same graph for the same seed on every machine.
std::vector<std::pair<int, int>> random_regular_graph(int vertices, int degree, std::uint64_t seed);

}  // namespace loom
