#include "loom/fabric/circuits/provision/topology/duplex_planes.h"

#include <algorithm>
#include <map>

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom::fabric {
namespace {

class DuplexColoring {
 public:
  DuplexColoring(int devices, const std::vector<Edge>& edges, int colors)
      : edges_(edges), colors_(colors), color_(edges.size(), -1) {
    at_.assign(static_cast<std::size_t>(devices) * static_cast<std::size_t>(colors), -1);
  }

  bool add(int edge) {
    const auto [a, b] = edges_[static_cast<std::size_t>(edge)];
    for (int color = 0; color < colors_; ++color) {
      if (at(a, color) >= 0 || at(b, color) >= 0) continue;
      set(edge, color);
      return true;
    }
    for (int free_a = 0; free_a < colors_; ++free_a) {
      for (int free_b = 0; at(a, free_a) < 0 && free_b < colors_; ++free_b) {
        if (at(b, free_b) >= 0 || !exchange(b, free_a, free_b, a)) continue;
        set(edge, free_a);
        return true;
      }
    }
    return false;
  }

  const std::vector<int>& colors() const { return color_; }

 private:
  int& at(int device, int color) {
    return at_[static_cast<std::size_t>(device) * static_cast<std::size_t>(colors_) +
               static_cast<std::size_t>(color)];
  }

  void set(int edge, int color) {
    const auto [a, b] = edges_[static_cast<std::size_t>(edge)];
    color_[static_cast<std::size_t>(edge)] = color;
    at(a, color) = edge;
    at(b, color) = edge;
  }

  // Swaps two colors along the path from `device`, where `other` is free. Returns false if the path
  // ends at `not_at`, where `wanted` would then no longer be free.
  bool exchange(int device, int wanted, int other, int not_at) {
    std::vector<int> path;
    int color = wanted;
    for (int edge = at(device, color); edge >= 0; edge = at(device, color)) {
      path.push_back(edge);
      const auto [a, b] = edges_[static_cast<std::size_t>(edge)];
      device = device == a ? b : a;
      color = color == wanted ? other : wanted;
    }
    if (device == not_at) return false;
    for (const int edge : path) {
      const auto [a, b] = edges_[static_cast<std::size_t>(edge)];
      const int before = color_[static_cast<std::size_t>(edge)];
      at(a, before) = at(b, before) = -1;
    }
    for (const int edge : path) {
      set(edge, color_[static_cast<std::size_t>(edge)] == wanted ? other : wanted);
    }
    return true;
  }

  const std::vector<Edge>& edges_;
  int colors_;
  std::vector<int> color_;  // per edge
  std::vector<int> at_;     // edge per device and color; -1: none
};

// Colors all edges in this order; empty if some edge finds no color.
std::vector<int> color_in_order(int devices, const std::vector<Edge>& edges, int colors,
                                const std::vector<int>& order) {
  DuplexColoring coloring(devices, edges, colors);
  for (const int edge : order) {
    if (!coloring.add(edge)) return {};
  }
  return coloring.colors();
}

// Orders edges along cycles, so that a cycle of even length alternates between two colors: the next
// edge starts where the last one ended.
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

std::vector<int> color_with(int devices, const std::vector<Edge>& edges, int colors) {
  constexpr int kOrders = 20;
  Random random = random_stream(edges.size(), static_cast<std::uint64_t>(devices));
  std::vector<int> order = along_circles(devices, edges);
  for (int attempt = 0; attempt < kOrders; ++attempt) {
    std::vector<int> color = color_in_order(devices, edges, colors, order);
    if (!color.empty() || edges.empty()) return color;
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random(static_cast<std::uint32_t>(i))]);
    }
  }
  return {};
}

}  // namespace

DuplexPlanes duplex_planes(int devices, std::span<const Edge> directed_edges) {
  std::vector<Edge> edges;
  std::map<Edge, std::vector<int>> opposite;  // per pair: edges from the lower to the higher number
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
    LOOM_CHECK(!left.empty(), "every circuit of a duplex plane has its reverse");
    edge_of[j] = left.back();
    left.pop_back();
  }
  int colors = devices == 0 ? 0 : *std::max_element(degree.begin(), degree.end());
  std::vector<int> color = color_with(devices, edges, colors);
  while (color.empty() && !edges.empty()) color = color_with(devices, edges, ++colors);
  DuplexPlanes planes{{}, colors};
  for (const int edge : edge_of) planes.plane.push_back(color[static_cast<std::size_t>(edge)]);
  return planes;
}

}  // namespace loom::fabric
