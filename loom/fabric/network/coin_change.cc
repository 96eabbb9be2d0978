#include "loom/fabric/network/coin_change.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>

namespace loom::fabric {

CoinChange::CoinChange(int n, std::span<const int> steps)
    : n_(n), hops_(static_cast<std::size_t>(n), -1), last_(static_cast<std::size_t>(n), 0) {
  std::vector<int> coins(steps.begin(), steps.end());
  std::sort(coins.begin(), coins.end());
  coins.erase(std::unique(coins.begin(), coins.end()), coins.end());
  std::map<int, std::int64_t> used;  // by step: paths that end with it
  hops_[0] = 0;
  std::vector<int> level = {0};
  for (int hops = 1; !level.empty(); ++hops) {
    std::vector<int> next;
    for (const int distance : level) {
      for (const int coin : coins) {
        const auto there = static_cast<std::size_t>((distance + coin) % n);
        if (hops_[there] >= 0) continue;
        hops_[there] = hops;
        next.push_back(static_cast<int>(there));
      }
    }
    std::sort(next.begin(), next.end());
    for (const int distance : next) {
      int& last = last_[static_cast<std::size_t>(distance)];
      for (const int coin : coins) {
        const auto before = static_cast<std::size_t>((distance - coin + n) % n);
        if (hops_[before] != hops - 1) continue;
        if (last == 0 || used[coin] < used[last]) last = coin;
      }
      ++used[last];
    }
    level = std::move(next);
  }
}

std::vector<int> CoinChange::path(int distance) const {
  std::vector<int> steps;
  if (hops_[static_cast<std::size_t>(distance)] < 0) return steps;
  for (int at = distance; at != 0;) {
    steps.push_back(last_[static_cast<std::size_t>(at)]);
    at = (at - steps.back() + n_) % n_;
  }
  std::sort(steps.begin(), steps.end(), std::greater<>());
  return steps;
}

}  // namespace loom::fabric
