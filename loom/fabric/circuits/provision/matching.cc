#include "loom/fabric/circuits/provision/matching.h"

#include <algorithm>
#include <limits>

namespace loom::fabric {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

// Dual values keep left + right >= weight for every edge, with equality on matched edges, and are 0
// for unmatched vertices; so the weight of the matching is the sum of the dual values, which no
// matching can exceed.
class Matching {
 public:
  Matching(int vertices, std::span<const WeightedEdge> edges)
      : edges_(edges),
        begin_(static_cast<std::size_t>(vertices) + 1, 0),
        left_dual_(static_cast<std::size_t>(vertices), 0),
        right_dual_(left_dual_),
        distance_(static_cast<std::size_t>(vertices), kFar),
        by_(static_cast<std::size_t>(vertices), -1),
        matched_left_(static_cast<std::size_t>(vertices), -1),
        matched_right_(matched_left_) {
    for (const WeightedEdge& it : edges) ++begin_[static_cast<std::size_t>(it.left) + 1];
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  }

  std::vector<int> run() {
    for (int left = 0; left < static_cast<int>(left_dual_.size()); ++left) bring_in(left);
    std::vector<int> matched;
    for (const int edge : matched_left_) {
      if (edge >= 0) matched.push_back(edge);
    }
    return matched;
  }

 private:
  std::int64_t slack(int edge) const {
    const WeightedEdge& it = edges_[edge];
    return left_dual_[it.left] + right_dual_[it.right] - it.weight;
  }

  void bring_in(int root) {
    for (int edge = begin_[root]; edge < begin_[root + 1]; ++edge) {
      left_dual_[root] = std::max(left_dual_[root], -slack(edge) + left_dual_[root]);
    }
    search(root);
    for (const int right : touched_) {
      const std::int64_t before = best_ - distance_[right];
      if (distance_[right] < best_ && matched_right_[right] >= 0) {
        left_dual_[edges_[matched_right_[right]].left] -= before;
        right_dual_[right] += before;
      }
    }
    left_dual_[root] -= best_;
    augment(root);
    for (const int right : touched_) distance_[right] = kFar;
    touched_.clear();
  }

  // Computes the distances of right vertices from the root, up to the distance of the best end.
  void search(int root) {
    best_ = left_dual_[root];  // cost of leaving the root unmatched
    end_ = -1;
    dropped_ = root;
    heap_.clear();
    look_from(root, 0);
    while (!heap_.empty()) {
      const auto [negative, right] = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
      if (-negative >= best_) break;
      if (-negative > distance_[right]) continue;
      const int left = edges_[matched_right_[right]].left;
      if (-negative + left_dual_[left] < best_) {
        best_ = -negative + left_dual_[left];
        end_ = right;
        dropped_ = left;
      }
      look_from(left, -negative);
    }
  }

  void look_from(int left, std::int64_t so_far) {
    for (int edge = begin_[left]; edge < begin_[left + 1]; ++edge) {
      const int right = edges_[edge].right;
      const std::int64_t distance = so_far + slack(edge);
      if (distance >= best_ || distance >= distance_[right]) continue;
      if (distance_[right] == kFar) touched_.push_back(right);
      distance_[right] = distance;
      by_[right] = edge;
      if (matched_right_[right] < 0) {
        best_ = distance;
        end_ = right;
        dropped_ = -1;
      } else {
        heap_.emplace_back(-distance, right);
        std::push_heap(heap_.begin(), heap_.end());
      }
    }
  }

  void augment(int root) {
    if (dropped_ >= 0) matched_left_[dropped_] = -1;
    if (dropped_ == root) return;
    for (int right = end_;;) {
      const int edge = by_[right];
      const int left = edges_[edge].left;
      const int before = matched_left_[left];
      matched_left_[left] = edge;
      matched_right_[right] = edge;
      if (left == root) return;
      right = edges_[before].right;
    }
  }

  std::span<const WeightedEdge> edges_;
  std::vector<int> begin_;  // first edge per left vertex
  std::vector<std::int64_t> left_dual_;
  std::vector<std::int64_t> right_dual_;
  std::vector<std::int64_t> distance_;  // per right vertex
  std::vector<int> by_;                 // last edge of the shortest path, per right vertex
  std::vector<int> matched_left_;       // edge per vertex; -1: none
  std::vector<int> matched_right_;
  std::vector<int> touched_;  // right vertices reached by the current search
  std::vector<std::pair<std::int64_t, int>> heap_;
  std::int64_t best_ = 0;
  int end_ = -1;      // right vertex at which the best path ends
  int dropped_ = -1;  // left vertex that becomes unmatched; -1: none
};

}  // namespace

std::vector<int> max_weight_matching(int vertices, std::span<const WeightedEdge> edges) {
  return Matching(vertices, edges).run();
}

}  // namespace loom::fabric
