#include "loom/fabric/provision/ring_split.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "loom/fabric/provision/arc_packing.h"

namespace loom {
namespace {

class Splitter {
 public:
  Splitter(const RingLimits& limits, int capacity, const Demand& demand,
           const std::vector<int>& counts)
      : limits_(limits), capacity_(capacity), split_(demand.size(), Split{}) {
    const std::size_t segments = static_cast<std::size_t>(segments_of(limits));
    for (std::vector<int>& it : fixed_) it.assign(segments, 0);
    otherwise_.assign(segments, 0);
    for (std::size_t i = 0; i < demand.size(); ++i) sort_in(i, demand[i], counts[i]);
    for (const ArcGroup& it : free_) whole_ += it.count;
  }

  SplitFound run(std::int64_t& work) {
    const int busiest = *std::max_element(fixed_[kClockwise].begin(), fixed_[kClockwise].end());
    if (without_way_ || busiest > capacity_) return {.answer = CanSplit::no};
    if (!limits_.reuse) return without_reuse();
    int low = 0;  // fewer going clockwise leave too many to go the other way
    for (std::size_t s = 0; s < otherwise_.size(); ++s) low = std::max(low, least_uncovered(s));
    int high = whole_;
    while (low <= high) {
      const int middle = low + (high - low) / 2;
      const std::optional<Packing> here = pack(middle, work);
      if (!here) return {.answer = CanSplit::unknown};
      if (here->total >= middle * here->laps) return found(*here, middle);
      const std::optional<Packing> next = middle < high ? pack(middle + 1, work) : here;
      if (!next) return {.answer = CanSplit::unknown};
      const bool rising =
          middle < high && (next->total - next->laps) * here->laps > here->total * next->laps;
      rising ? low = middle + 1 : high = middle - 1;
    }
    return {.answer = CanSplit::no};
  }

 private:
  void sort_in(std::size_t pair, const PairDemand& it, int count) {
    const std::vector<int> ways = directions_of(limits_, it.from, it.to);
    without_way_ = without_way_ || (ways.empty() && count > 0);
    if (ways.size() == 2) {
      free_.push_back({.arc = arc_of(limits_, it.from, it.to, kClockwise), .count = count});
      pair_.push_back(pair);
      add(otherwise_, arc_of(limits_, it.from, it.to, kCounterclockwise), count);
    } else if (ways.size() == 1) {
      split_[pair][static_cast<std::size_t>(ways.front())] = count;
      add(fixed_[static_cast<std::size_t>(ways.front())],
          arc_of(limits_, it.from, it.to, ways.front()), count);
    }
  }

  static void add(std::vector<int>& load, const Arc& arc, int count) {
    for (int step = 0; step < arc.length; ++step) {
      load[static_cast<std::size_t>(arc.first + step) % load.size()] += count;
    }
  }

  // Of the circuits whose clockwise arc leaves the segment out, how many must go clockwise.
  int least_uncovered(std::size_t segment) const {
    return fixed_[kCounterclockwise][segment] + otherwise_[segment] - capacity_;
  }

  std::optional<Packing> pack(int clockwise, std::int64_t& work) const {
    std::vector<int> room(otherwise_.size());
    for (std::size_t s = 0; s < room.size(); ++s) {
      room[s] = std::min(capacity_ - fixed_[kClockwise][s], clockwise - least_uncovered(s));
    }
    return pack_arcs(free_, room, work);
  }

  SplitFound found(const Packing& packing, int clockwise) {
    set_clockwise(rounded(packing, free_, limits_.devices, clockwise));
    return {.answer = CanSplit::yes, .split = split_};
  }

  SplitFound without_reuse() {
    const int low = std::max(0, least_uncovered(0));
    const int high = std::min(whole_, capacity_ - fixed_[kClockwise][0]);
    if (low > high) return {.answer = CanSplit::no};
    int left = low + (high - low) / 2;
    std::vector<int> counts;
    for (const ArcGroup& it : free_) {
      counts.push_back(std::min(it.count, left));
      left -= counts.back();
    }
    set_clockwise(counts);
    return {.answer = CanSplit::yes, .split = split_};
  }

  void set_clockwise(const std::vector<int>& counts) {
    for (std::size_t i = 0; i < free_.size(); ++i) {
      split_[pair_[i]] = {counts[i], free_[i].count - counts[i]};
    }
  }

  const RingLimits& limits_;
  int capacity_;
  std::vector<Split> split_;
  std::vector<ArcGroup> free_;             // the pairs that can go either way, clockwise
  std::vector<std::size_t> pair_;          // whose each of them is
  std::array<std::vector<int>, 2> fixed_;  // load of the others, by direction and segment
  std::vector<int> otherwise_;             // load if all that can goes counterclockwise
  int whole_ = 0;                          // circuits that can go either way
  bool without_way_ = false;
};

}  // namespace

SplitFound split_circuits(const RingLimits& limits, int capacity, const Demand& demand,
                          const std::vector<int>& counts, std::int64_t& work) {
  return Splitter(limits, capacity, demand, counts).run(work);
}

}  // namespace loom
