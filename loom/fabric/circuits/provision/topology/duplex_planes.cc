#include "loom/fabric/circuits/provision/topology/duplex_planes.h"

#include <algorithm>
#include <map>

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom {
namespace {

class DuplexColouring {
 public:
  DuplexColouring(int devices, const std::vector<Edge>& edges, int colours)
      : edges_(edges), colours_(colours), colour_(edges.size(), -1) {
    at_.assign(static_cast<std::size_t>(devices) * static_cast<std::size_t>(colours), -1);
  }

  bool add(int edge) {
    const auto [a, b] = edges_[static_cast<std::size_t>(edge)];
    for (int colour = 0; colour < colours_; ++colour) {
      if (at(a, colour) >= 0 || at(b, colour) >= 0) continue;
      set(edge, colour);
      return true;
    }
    for (int free_a = 0; free_a < colours_; ++free_a) {
      for (int free_b = 0; at(a, free_a) < 0 && free_b < colours_; ++free_b) {
        if (at(b, free_b) >= 0 || !exchange(b, free_a, free_b, a)) continue;
        set(edge, free_a);
        return true;
      }
    }
    return false;
  }

  const std::vector<int>& colours() const { return colour_; }

 private:
  int& at(int device, int colour) {
    return at_[static_cast<std::size_t>(device) * static_cast<std::size_t>(colours_) +
               static_cast<std::size_t>(colour)];
  }

  void set(int edge, int colour) {
    const auto [a, b] = edges_[static_cast<std::size_t>(edge)];
    colour_[static_cast<std::size_t>(edge)] = colour;
    at(a, colour) = edge;
    at(b, colour) = edge;
  }

  // Exchanges two colours along the path from `device`, where `other` is free, unless it ends at
  // `not_at`: then `wanted` would be free at neither.
  bool exchange(int device, int wanted, int other, int not_at) {
    std::vector<int> path;
    int colour = wanted;
    for (int edge = at(device, colour); edge >= 0; edge = at(device, colour)) {
      path.push_back(edge);
      const auto [a, b] = edges_[static_cast<std::size_t>(edge)];
      device = device == a ? b : a;
      colour = colour == wanted ? other : wanted;
    }
    if (device == not_at) return false;
    for (const int edge : path) {
      const auto [a, b] = edges_[static_cast<std::size_t>(edge)];
      const int before = colour_[static_cast<std::size_t>(edge)];
      at(a, before) = at(b, before) = -1;
    }
    for (const int edge : path) {
      set(edge, colour_[static_cast<std::size_t>(edge)] == wanted ? other : wanted);
    }
    return true;
  }

  const std::vector<Edge>& edges_;
  int colours_;
  std::vector<int> colour_;  // by edge
  std::vector<int> at_;      // by device and colour: the edge; -1: none
};

// The colours of all edges, taken in this order; nothing where some edge finds none.
std::vector<int> colour_in_order(int devices, const std::vector<Edge>& edges, int colours,
                                 const std::vector<int>& order) {
  DuplexColouring colouring(devices, edges, colours);
  for (const int edge : order) {
    if (!colouring.add(edge)) return {};
  }
  return colouring.colours();
}

// Along circles, so that a circle of an even number is two colours by turns: the next edge is one
// that begins where the last ended.
std::vector<int> along_circles(int devices, const std::vector<Edge>& edges) {
  std::vector<std::vector<int>> at(static_cast<std::size_t>(devices));
  for (std::size_t e = 0; e < edges.size(); ++e) {
    at[static_cast<std::size_t>(edges[e].from)].push_back(static_cast<int>(e));
    at[static_cast<std::size_t>(edges[e].to)].push_back(static_cast<int>(e));
  }
  std::vector<bool> taken(edges.size(), false);
  std::vector<int> order;
  for (std::size_t first = 0; first < edges.size(); ++first) {
    int device = edges[first].from;
    for (int edge = static_cast<int>(first); edge >= 0 && !taken[static_cast<std::size_t>(edge)];) {
      taken[static_cast<std::size_t>(edge)] = true;
      order.push_back(edge);
      const auto [a, b] = edges[static_cast<std::size_t>(edge)];
      device = device == a ? b : a;
      edge = -1;
      for (const int next : at[static_cast<std::size_t>(device)]) {
        if (!taken[static_cast<std::size_t>(next)]) edge = next;
      }
    }
  }
  return order;
}

std::vector<int> colour_with(int devices, const std::vector<Edge>& edges, int colours) {
  constexpr int kOrders = 20;
  Random random = random_stream(edges.size(), static_cast<std::uint64_t>(devices));
  std::vector<int> order = along_circles(devices, edges);
  for (int attempt = 0; attempt < kOrders; ++attempt) {
    std::vector<int> colour = colour_in_order(devices, edges, colours, order);
    if (!colour.empty() || edges.empty()) return colour;
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random(static_cast<std::uint32_t>(i))]);
    }
  }
  return {};
}

}  // namespace

DuplexPlanes duplex_planes(int devices, std::span<const Edge> directed_edges) {
  std::vector<Edge> edges;
  std::map<Edge, std::vector<int>> opposite;  // by pair: places of the joins from low to high
  std::vector<int> degree(static_cast<std::size_t>(devices), 0);
  std::vector<int> edge_of(directed_edges.size(), -1);
  for (std::size_t j = 0; j < directed_edges.size(); ++j) {
    if (directed_edges[j].from > directed_edges[j].to) continue;
    edge_of[j] = static_cast<int>(edges.size());
    opposite[directed_edges[j]].push_back(edge_of[j]);
    edges.push_back(directed_edges[j]);
    ++degree[static_cast<std::size_t>(directed_edges[j].from)];
    ++degree[static_cast<std::size_t>(directed_edges[j].to)];
  }
  for (std::size_t j = 0; j < directed_edges.size(); ++j) {
    if (directed_edges[j].from < directed_edges[j].to) continue;
    std::vector<int>& left = opposite[{directed_edges[j].to, directed_edges[j].from}];
    LOOM_CHECK(!left.empty(), "a circuit of a duplex plane has its opposite");
    edge_of[j] = left.back();
    left.pop_back();
  }
  int colours = devices == 0 ? 0 : *std::max_element(degree.begin(), degree.end());
  std::vector<int> colour = colour_with(devices, edges, colours);
  while (colour.empty() && !edges.empty()) colour = colour_with(devices, edges, ++colours);
  DuplexPlanes planes{{}, colours};
  for (const int edge : edge_of) planes.plane.push_back(colour[static_cast<std::size_t>(edge)]);
  return planes;
}

}  // namespace loom
