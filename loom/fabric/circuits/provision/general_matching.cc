#define LEMON_ONLY_TEMPLATES  // only headers of LEMON are used
#include "loom/fabric/circuits/provision/general_matching.h"

#include <lemon/matching.h>
#include <lemon/smart_graph.h>

#include <algorithm>

namespace loom::fabric {
namespace {

using Graph = lemon::SmartGraph;
using Weights = Graph::EdgeMap<std::int64_t>;
using Matching = lemon::MaxWeightedMatching<Graph, Weights>;

constexpr std::size_t kHeaviest = 16;

// Marks the heaviest edges of each vertex, with which the matching of a dense graph starts.
std::vector<bool> heaviest_edges(int vertices, const std::vector<PairWeight>& edges) {
  std::vector<std::vector<int>> at(static_cast<std::size_t>(vertices));
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (edges[e].weight <= 0) continue;
    at[static_cast<std::size_t>(edges[e].a)].push_back(static_cast<int>(e));
    at[static_cast<std::size_t>(edges[e].b)].push_back(static_cast<int>(e));
  }
  std::vector<bool> chosen(edges.size(), false);
  for (std::vector<int>& here : at) {
    const std::size_t max_kept = std::min(kHeaviest, here.size());
    std::partial_sort(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(max_kept),
                      here.end(), [&](int x, int y) {
                        const std::int64_t left = edges[static_cast<std::size_t>(x)].weight;
                        const std::int64_t right = edges[static_cast<std::size_t>(y)].weight;
                        return left != right ? left > right : x < y;
                      });
    for (std::size_t i = 0; i < max_kept; ++i) chosen[static_cast<std::size_t>(here[i])] = true;
  }
  return chosen;
}

// Matches over the chosen edges. An edge left out can improve the matching only if it weighs more
// than the dual values of its two ends together; such edges are added to `chosen`. `complete` tells
// that there are none.
std::vector<int> match_chosen(int vertices, const std::vector<PairWeight>& edges,
                              std::vector<bool>& chosen, bool& complete) {
  Graph graph;
  for (int v = 0; v < vertices; ++v) graph.addNode();
  Weights weights(graph);
  std::vector<int> place;  // index in `edges` per edge of the graph
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!chosen[e]) continue;
    const auto added = graph.addEdge(Graph::nodeFromId(edges[e].a), Graph::nodeFromId(edges[e].b));
    weights[added] = edges[e].weight;
    place.push_back(static_cast<int>(e));
  }
  Matching matching(graph, weights);
  matching.run();
  complete = true;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (chosen[e] || edges[e].weight <= 0) continue;
    const std::int64_t dual = matching.nodeValue(Graph::nodeFromId(edges[e].a)) +
                              matching.nodeValue(Graph::nodeFromId(edges[e].b));
    if (dual >= Matching::dualScale * edges[e].weight) continue;
    chosen[e] = true;
    complete = false;
  }
  std::vector<int> matched;
  for (std::size_t e = 0; e < place.size(); ++e) {
    if (matching.matching(Graph::edgeFromId(static_cast<int>(e)))) matched.push_back(place[e]);
  }
  return matched;
}

}  // namespace

std::vector<int> max_weight_general_matching(int vertices, const std::vector<PairWeight>& edges) {
  std::vector<bool> chosen = heaviest_edges(vertices, edges);
  while (true) {
    bool complete = true;
    std::vector<int> matched = match_chosen(vertices, edges, chosen, complete);
    if (complete) return matched;
  }
}

}  // namespace loom::fabric
