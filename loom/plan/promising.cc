#include "loom/plan/promising.h"

#include <algorithm>
#include <utility>

#include "loom/base/parallel.h"

namespace loom::plan {
namespace {

constexpr std::size_t kWeighedOfShape = 8;  // strategies of each shape, in the first round
constexpr std::size_t kWeighed = 256;       // in the second round
constexpr std::size_t kEstimated = 24;      // in each round

// Sorts by key(strategy), and keeps the first.
template <class Key>
void keep_lowest(std::vector<RankedStrategy*>& strategies, std::size_t count, const Key& key) {
  std::stable_sort(strategies.begin(), strategies.end(),
                   [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
  strategies.resize(std::min(count, strategies.size()));
}

}  // namespace

std::vector<RankedStrategy*> PromisingStrategies::next(std::span<RankedStrategy> ranking,
                                                       Duration best) {
  std::vector<RankedStrategy*> open;
  for (RankedStrategy& it : ranking) {
    if (it.predicted.count() == 0 && it.bound < best) open.push_back(&it);
  }
  if (rounds_ == 2 || open.empty()) return {};
  return ++rounds_ == 1 ? of_each_shape(open) : of_good_shapes(open, ranking);
}

PromisingStrategies::Shape PromisingStrategies::shape_of(const RankedStrategy& it) {
  return {extents(it.strategy), it.strategy.order};
}

// The strategies come sorted by bound.
std::vector<RankedStrategy*> PromisingStrategies::of_each_shape(
    std::span<RankedStrategy* const> open) {
  std::map<Shape, std::size_t> weighed;
  std::vector<RankedStrategy*> first;
  for (RankedStrategy* it : open) {
    if (weighed[shape_of(*it)]++ < kWeighedOfShape) first.push_back(it);
  }
  weigh(first);
  keep_lowest(first, first.size(), [](const RankedStrategy& it) { return it.promise; });
  std::map<Shape, bool> seen;
  std::erase_if(first,
                [&](const RankedStrategy* it) { return std::exchange(seen[shape_of(*it)], true); });
  first.resize(std::min(kEstimated, first.size()));
  return first;
}

std::vector<RankedStrategy*> PromisingStrategies::of_good_shapes(
    std::span<RankedStrategy* const> open, std::span<const RankedStrategy> ranking) {
  std::map<Shape, double> error;  // of the promise; the estimate over it
  for (const RankedStrategy& it : ranking) {
    if (it.predicted.count() == 0 || it.promise.count() == 0) continue;
    const double here = seconds(it.predicted) / seconds(it.promise);
    const auto [at, is_new] = error.try_emplace(shape_of(it), here);
    if (!is_new) at->second = std::min(at->second, here);
  }
  std::vector<RankedStrategy*> next;
  for (RankedStrategy* it : open) {
    if (error.contains(shape_of(*it))) next.push_back(it);
  }
  const auto corrected = [&](const RankedStrategy& it, Duration promise) {
    return seconds(promise) * error.at(shape_of(it));
  };
  keep_lowest(next, kWeighed, [&](const RankedStrategy& it) { return corrected(it, it.bound); });
  weigh(next);
  keep_lowest(next, kEstimated,
              [&](const RankedStrategy& it) { return corrected(it, it.promise); });
  return next;
}

// A strategy whose bound cannot be found comes first: estimating it shows why.
void PromisingStrategies::weigh(std::span<RankedStrategy* const> open) {
  for_each_index(open.size(), threads_, [&](std::size_t i) {
    RankedStrategy& it = *open[i];
    if (it.promise.count() > 0) return;
    try {
      const Duration chain = it.bound;
      const Duration bytes = shard_job(spec_, it.strategy, provider_, Duration(0)).lower_bound;
      it.promise = std::max(Duration(1), add(chain, bytes));
      it.bound = std::max(chain, bytes);
    } catch (const LimitError&) {
      it.promise = Duration(1);
    }
  });
}

}  // namespace loom::plan
