#include "loom/fabric/circuits/provision/edge_coloring.h"

#include "loom/base/error.h"

namespace loom {
namespace {

class EdgeColouring {
 public:
  EdgeColouring(int vertices, int colours, std::span<const BipartiteEdge> edges)
      : vertices_(vertices), colours_(colours), edges_(edges), colour_(edges.size(), -1) {
    at_.assign(2 * static_cast<std::size_t>(vertices) * static_cast<std::size_t>(colours), -1);
  }

  std::vector<int> run() {
    for (int edge = 0; edge < static_cast<int>(edges_.size()); ++edge) add(edge);
    return std::move(colour_);
  }

 private:
  // Left vertices come first.
  int end_of(int edge, bool right) const {
    return right ? vertices_ + edges_[edge].right : edges_[edge].left;
  }

  int& at(int end, int colour) {
    return at_[static_cast<std::size_t>(end) * static_cast<std::size_t>(colours_) +
               static_cast<std::size_t>(colour)];
  }

  int free_at(int end) {
    for (int colour = 0; colour < colours_; ++colour) {
      if (at(end, colour) < 0) return colour;
    }
    LOOM_CHECK(false, "no vertex has more edges than there are colours");
    return -1;
  }

  int free_at_both(int left, int right) {
    for (int colour = 0; colour < colours_; ++colour) {
      if (at(left, colour) < 0 && at(right, colour) < 0) return colour;
    }
    return -1;
  }

  void set(int edge, int colour) {
    colour_[edge] = colour;
    at(end_of(edge, false), colour) = edge;
    at(end_of(edge, true), colour) = edge;
  }

  // Exchanges the colours along the path that begins at a right vertex with an edge of `wanted`.
  // It alternates with `other`, which is free there, and cannot end at a left vertex where `wanted`
  // is free: it comes to left vertices by edges of `wanted`.
  void exchange(int end, int wanted, int other) {
    std::vector<int> path;
    bool right = true;
    int colour = wanted;
    for (int edge = at(end, colour); edge >= 0; edge = at(end, colour)) {
      path.push_back(edge);
      right = !right;
      end = end_of(edge, right);
      colour = colour == wanted ? other : wanted;
    }
    for (const int edge : path) {
      at(end_of(edge, false), colour_[edge]) = -1;
      at(end_of(edge, true), colour_[edge]) = -1;
    }
    for (const int edge : path) set(edge, colour_[edge] == wanted ? other : wanted);
  }

  void add(int edge) {
    const int left = end_of(edge, false);
    const int right = end_of(edge, true);
    int colour = free_at_both(left, right);
    if (colour < 0) {
      colour = free_at(left);
      exchange(right, colour, free_at(right));
    }
    set(edge, colour);
  }

  int vertices_;
  int colours_;
  std::span<const BipartiteEdge> edges_;
  std::vector<int> colour_;  // by edge
  std::vector<int> at_;      // by vertex and colour: the edge; -1: none
};

}  // namespace

std::vector<int> colour_edges(int vertices, int colours, std::span<const BipartiteEdge> edges) {
  return EdgeColouring(vertices, colours, edges).run();
}

}  // namespace loom
