// Shortest paths in a circulant graph: a distance is composed of as few steps as possible, like an
// amount of money of as few coins as possible (TopoOpt, section 4.4).
//
// The graph looks the same from every position, so one table of n entries holds all paths. Among
// equally short paths to a distance, the path whose last step was used least so far is kept, which
// evens out the load. A path takes its larger steps first.
#pragma once

#include <span>
#include <vector>

namespace loom::fabric {

class CoinChange {
 public:
  // Requires steps from 1 to n - 1.
  CoinChange(int n, std::span<const int> steps);

  // The steps that add up to `distance` (modulo n), in the order taken; none for 0 or if there is
  // no path.
  std::vector<int> path(int distance) const;

  int hops(int distance) const { return hops_[static_cast<std::size_t>(distance)]; }

 private:
  int n_;
  std::vector<int> hops_;  // by distance; -1: no path
  std::vector<int> last_;  // by distance: the last step of its path
};

}  // namespace loom::fabric
