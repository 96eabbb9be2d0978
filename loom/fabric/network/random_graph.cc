#include "loom/fabric/network/random_graph.h"

#include <algorithm>
#include <numeric>

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom::fabric {
namespace {

using Edges = std::vector<std::pair<int, int>>;

// Edge swaps per edge. Milo et al. (arXiv:cond-mat/0312028) find that far fewer are enough to
// forget the initial graph.
constexpr int kExchanges = 20;

// Adjacency lists, for fast edge lookup.
struct Neighbors {
  int degree;
  std::vector<int> all;  // vertex v: all[v · degree] …

  int* of(int vertex) { return all.data() + std::ptrdiff_t{vertex} * degree; }
  bool adjacent(int a, int b) { return std::find(of(a), of(a) + degree, b) != of(a) + degree; }
  void replace(int vertex, int old, int now) {
    *std::find(of(vertex), of(vertex) + degree, old) = now;
  }
};

// A circulant graph in which every vertex is adjacent to the nearest vertices: the start of the
// swaps.
Edges circulant(int vertices, int degree) {
  Edges edges;
  for (int apart = 1; apart <= degree / 2; ++apart) {
    for (int v = 0; v < vertices; ++v) edges.emplace_back(v, (v + apart) % vertices);
  }
  if (degree % 2 != 0) {
    for (int v = 0; v < vertices / 2; ++v) edges.emplace_back(v, v + vertices / 2);
  }
  return edges;
}

Neighbors neighbors_of(const Edges& edges, int vertices, int degree) {
  Neighbors neighbors{degree, {}};
  neighbors.all.resize(static_cast<std::size_t>(vertices) * degree);
  std::vector<int> filled(static_cast<std::size_t>(vertices), 0);
  for (const auto& [a, b] : edges) {
    neighbors.of(a)[filled[a]++] = b;
    neighbors.of(b)[filled[b]++] = a;
  }
  return neighbors;
}

// Replaces a-b and c-d with a-d and c-b, unless that makes a self-loop or a duplicate edge.
void exchange(std::pair<int, int>& one, std::pair<int, int>& other, Neighbors& neighbors) {
  auto& [a, b] = one;
  auto& [c, d] = other;
  if (a == d || c == b || neighbors.adjacent(a, d) || neighbors.adjacent(c, b)) return;
  neighbors.replace(a, b, d);
  neighbors.replace(b, a, c);
  neighbors.replace(c, d, b);
  neighbors.replace(d, c, a);
  std::swap(b, d);
}

void shuffle(Edges& edges, int vertices, int degree, std::uint64_t seed) {
  Neighbors neighbors = neighbors_of(edges, vertices, degree);
  Random random = random_stream(seed);
  const auto count = static_cast<std::uint32_t>(edges.size());
  for (std::uint64_t done = 0; done < std::uint64_t{count} * kExchanges; ++done) {
    auto& one = edges[random(count)];
    auto& other = edges[random(count)];
    if (random(2) == 0) std::swap(other.first, other.second);
    exchange(one, other, neighbors);
  }
}

int root_of(std::vector<int>& parent, int v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

// Connects the components of the graph: swaps an edge that closes a cycle in one component with an
// edge in the component of vertex 0. The cycle stays connected without its edge; if the other edge
// was a bridge, each half of its component is now attached to one end of the removed edge.
void connect(Edges& edges, int vertices) {
  std::vector<int> parent(static_cast<std::size_t>(vertices));
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<std::size_t> closing;
  for (std::size_t number = 0; number < edges.size(); ++number) {
    const int a = root_of(parent, edges[number].first);
    const int b = root_of(parent, edges[number].second);
    if (a == b) closing.push_back(number);
    parent[a] = b;
  }
  const auto begin = std::find_if(edges.begin(), edges.end(), [](const auto& edge) {
    return edge.first == 0 || edge.second == 0;
  });
  for (const std::size_t number : closing) {
    const int component = root_of(parent, edges[number].first);
    const int main_component = root_of(parent, 0);
    if (component == main_component) continue;
    std::swap(begin->second, edges[number].second);
    parent[component] = main_component;
  }
}

}  // namespace

std::vector<std::pair<int, int>> random_regular_graph(int vertices, int degree,
                                                      std::uint64_t seed) {
  LOOM_CHECK(degree >= 1 && degree < vertices && std::int64_t{degree} * vertices % 2 == 0,
             "a regular graph of this degree exists");
  Edges edges = circulant(vertices, degree);
  shuffle(edges, vertices, degree, seed);
  connect(edges, vertices);
  return edges;
}

}  // namespace loom::fabric
