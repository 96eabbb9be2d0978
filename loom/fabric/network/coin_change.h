// Ways in a circulant graph: a distance is paid in steps, as few as possible, like change in coins.
//
// (TopoOpt, section 4.4.) All positions look alike, so the ways from all of them are one table of n
// entries. Of several shortest ways a distance takes the one over the steps least used so far, and
// goes the larger steps of it first.
#pragma once

#include <span>
#include <vector>

namespace loom {

class CoinChange {
 public:
  // Needs steps of 1 to n - 1.
  CoinChange(int n, std::span<const int> steps);

  // The steps that lead as far as `distance` (modulo n), in the order in which they are gone; none
  // for 0, and where there is no way.
  std::vector<int> path(int distance) const;

  int hops(int distance) const { return hops_[static_cast<std::size_t>(distance)]; }

 private:
  int n_;
  std::vector<int> hops_;  // by distance; -1: no way
  std::vector<int> last_;  // by distance: the last step of its way
};

}  // namespace loom
