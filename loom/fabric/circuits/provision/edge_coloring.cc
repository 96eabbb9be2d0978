#include "loom/fabric/circuits/provision/edge_coloring.h"

#include "loom/base/error.h"

namespace loom::fabric {
namespace {

class EdgeColoring {
 public:
  EdgeColoring(int vertices, int colors, std::span<const BipartiteEdge> edges)
      : vertices_(vertices), colors_(colors), edges_(edges), color_(edges.size(), -1) {
    at_.assign(2 * static_cast<std::size_t>(vertices) * static_cast<std::size_t>(colors), -1);
  }

  std::vector<int> run() {
    for (int edge = 0; edge < static_cast<int>(edges_.size()); ++edge) add(edge);
    return std::move(color_);
  }

 private:
  // The vertex at one end of an edge. Left vertices are numbered first.
  int end_of(int edge, bool right) const {
    return right ? vertices_ + edges_[edge].right : edges_[edge].left;
  }

  int& at(int end, int color) {
    return at_[static_cast<std::size_t>(end) * static_cast<std::size_t>(colors_) +
               static_cast<std::size_t>(color)];
  }

  int free_at(int end) {
    for (int color = 0; color < colors_; ++color) {
      if (at(end, color) < 0) return color;
    }
    LOOM_CHECK(false, "no vertex has more edges than there are colors");
    return -1;
  }

  int free_at_both(int left, int right) {
    for (int color = 0; color < colors_; ++color) {
      if (at(left, color) < 0 && at(right, color) < 0) return color;
    }
    return -1;
  }

  void set(int edge, int color) {
    color_[edge] = color;
    at(end_of(edge, false), color) = edge;
    at(end_of(edge, true), color) = edge;
  }

  // Swaps the colors along the path that starts at a right vertex with an edge of color `wanted`.
  // The path alternates between `wanted` and `other`, which is free at its start. It cannot end at
  // a left vertex where `wanted` is free, because it enters left vertices by edges of color
  // `wanted`.
  void exchange(int end, int wanted, int other) {
    std::vector<int> path;
    bool right = true;
    int color = wanted;
    for (int edge = at(end, color); edge >= 0; edge = at(end, color)) {
      path.push_back(edge);
      right = !right;
      end = end_of(edge, right);
      color = color == wanted ? other : wanted;
    }
    for (const int edge : path) {
      at(end_of(edge, false), color_[edge]) = -1;
      at(end_of(edge, true), color_[edge]) = -1;
    }
    for (const int edge : path) set(edge, color_[edge] == wanted ? other : wanted);
  }

  void add(int edge) {
    const int left = end_of(edge, false);
    const int right = end_of(edge, true);
    int color = free_at_both(left, right);
    if (color < 0) {
      color = free_at(left);
      exchange(right, color, free_at(right));
    }
    set(edge, color);
  }

  int vertices_;
  int colors_;
  std::span<const BipartiteEdge> edges_;
  std::vector<int> color_;  // per edge
  std::vector<int> at_;     // edge per vertex and color; -1: none
};

}  // namespace

std::vector<int> color_edges(int vertices, int colors, std::span<const BipartiteEdge> edges) {
  return EdgeColoring(vertices, colors, edges).run();
}

}  // namespace loom::fabric
