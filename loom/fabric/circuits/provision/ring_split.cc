#include "loom/fabric/circuits/provision/ring_split.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "loom/fabric/circuits/provision/arc_packing.h"

namespace loom::fabric {
namespace {

constexpr int kAllLengths = 32;  // longer stretches are checked only at doubling lengths

class Splitter {
 public:
  Splitter(const RingLimits& limits, int capacity, const workload::Demand& demand,
           const std::vector<int>& counts)
      : limits_(limits),
        capacity_(capacity),
        demand_(demand),
        counts_(counts),
        split_(demand.size(), Split{}) {
    const auto segments = static_cast<std::size_t>(segments_of(limits));
    for (std::vector<int>& it : fixed_) it.assign(segments, 0);
    otherwise_.assign(segments, 0);
    for (std::size_t i = 0; i < demand.size(); ++i) sort_in(i, demand[i], counts[i]);
    for (std::vector<int>* load : {&fixed_[0], &fixed_[1], &otherwise_}) {
      std::partial_sum(load->begin(), load->end(), load->begin());
    }
    for (const ArcGroup& it : free_) free_circuits_ += it.count;
  }

  SplitFound run(std::int64_t& work) const {
    const int busiest = *std::max_element(fixed_[kClockwise].begin(), fixed_[kClockwise].end());
    if (unroutable_ || busiest > capacity_) return {.answer = CanSplit::no};
    if (!limits_.reuse) return without_reuse();
    if (crowded()) return {.answer = CanSplit::no};
    return search(work);
  }

 private:
  void sort_in(std::size_t pair, const workload::PairDemand& it, int count) {
    const std::vector<int> directions = directions_of(limits_, it.from, it.to);
    unroutable_ = unroutable_ || (directions.empty() && count > 0);
    if (directions.size() == 2) {
      free_.push_back({.arc = arc_of(limits_, it.from, it.to, kClockwise), .count = count});
      pair_.push_back(pair);
      if (directions.front() == kClockwise) shorter_clockwise_ += count;
      add(otherwise_, arc_of(limits_, it.from, it.to, kCounterclockwise), count);
    } else if (directions.size() == 1) {
      split_[pair][static_cast<std::size_t>(directions.front())] = count;
      add(fixed_[static_cast<std::size_t>(directions.front())],
          arc_of(limits_, it.from, it.to, directions.front()), count);
    }
  }

  // Adds to a load kept as differences between consecutive segments.
  static void add(std::vector<int>& load, const Arc& arc, int count) {
    const std::size_t end =
        static_cast<std::size_t>(arc.first) + static_cast<std::size_t>(arc.length);
    load[static_cast<std::size_t>(arc.first)] += count;
    if (end < load.size()) load[end] -= count;
    if (end <= load.size()) return;
    load[0] += count;
    load[end - load.size()] -= count;
  }

  // Min number of circuits that must go clockwise among those whose clockwise arc does not cover
  // the segment.
  int min_uncovered(std::size_t segment) const {
    return fixed_[kCounterclockwise][segment] + otherwise_[segment] - capacity_;
  }

  // Searches for the number X of clockwise circuits (see ring_split.h). The shortfall, X minus the
  // number of arcs that can be packed, is convex in X. So the line through two adjacent values lies
  // below the shortfall elsewhere, and no X fits where the line is above 0.
  SplitFound search(std::int64_t& work) const {
    std::int64_t low = 0;  // below this, too many circuits go counterclockwise
    for (std::size_t s = 0; s < otherwise_.size(); ++s) {
      low = std::max<std::int64_t>(low, min_uncovered(s));
    }
    std::int64_t high = free_circuits_;
    std::int64_t middle = std::clamp<std::int64_t>(shorter_clockwise_, low, std::max(low, high));
    for (; low <= high; middle = low + (high - low) / 2) {
      const std::optional<Packing> here = pack(middle, work);
      if (!here) return {.answer = CanSplit::unknown};
      const std::int64_t missing = middle * here->laps - here->total;
      if (missing <= 0) return found(*here, middle);
      const std::optional<Packing> next = pack(middle + 1, work);
      if (!next) return {.answer = CanSplit::unknown};
      const std::int64_t slope = (next->total - next->laps) * here->laps - here->total * next->laps;
      if (slope == 0) return {.answer = CanSplit::no};
      const std::int64_t steps = (missing * next->laps - 1) / std::abs(slope) + 1;
      slope > 0 ? low = middle + steps : high = middle - steps;
    }
    return {.answer = CanSplit::no};
  }

  std::optional<Packing> pack(std::int64_t clockwise, std::int64_t& work) const {
    std::vector<int> room(otherwise_.size());
    for (std::size_t s = 0; s < room.size(); ++s) {
      room[s] = static_cast<int>(
          std::min<std::int64_t>(capacity_ - fixed_[kClockwise][s], clockwise - min_uncovered(s)));
    }
    return pack_arcs(free_, room, work);
  }

  SplitFound found(const Packing& packing, std::int64_t clockwise) const {
    return with_clockwise(rounded(packing, free_, limits_.devices, clockwise));
  }

  SplitFound without_reuse() const {
    const int low = std::max(0, min_uncovered(0));
    const int high = std::min(free_circuits_, capacity_ - fixed_[kClockwise][0]);
    if (low > high) return {.answer = CanSplit::no};
    int left = low + (high - low) / 2;
    std::vector<int> counts;
    for (const ArcGroup& it : free_) {
      counts.push_back(std::min(it.count, left));
      left -= counts.back();
    }
    return with_clockwise(counts);
  }

  SplitFound with_clockwise(const std::vector<int>& counts) const {
    SplitFound found{.answer = CanSplit::yes, .split = split_};
    for (std::size_t i = 0; i < free_.size(); ++i) {
      found.split[pair_[i]] = {counts[i], free_[i].count - counts[i]};
    }
    return found;
  }

  // Whether more circuits leave or enter some stretch of consecutive devices than its two ends
  // carry.
  bool crowded() const {
    for (int length = 1; 2 * length <= limits_.devices;
         length += length < kAllLengths ? 1 : length) {
      for (const bool entering : {false, true}) {
        if (max_across(length, entering) > 2 * capacity_) return true;
      }
    }
    return false;
  }

  // The max number of circuits that leave (or enter) a stretch, over all stretches of `length`
  // devices. A circuit leaves a stretch that contains its inner end (the source) but not its outer
  // end; these are the stretches that begin `min` to `max` devices before the inner end. For
  // entering circuits, the inner end is the destination.
  int max_across(int length, bool entering) const {
    const int devices = limits_.devices;
    std::vector<int> change(static_cast<std::size_t>(devices), 0);
    int across = 0;  // for the stretch that begins at device 0
    for (std::size_t pair = 0; pair < demand_.size(); ++pair) {
      const int inner = entering ? demand_[pair].to : demand_[pair].from;
      const int outer = entering ? demand_[pair].from : demand_[pair].to;
      const int ahead = (outer - inner + devices) % devices;
      const int min = std::max(0, length - ahead);
      const int max = std::min(length, devices - ahead) - 1;
      if (min > max) continue;
      const int first = (inner - max + devices) % devices;
      const int last = (inner - min + devices) % devices;
      change[first] += counts_[pair];
      change[(last + 1) % devices] -= counts_[pair];
      if (first > last) across += counts_[pair];
    }
    int found = 0;
    for (const int it : change) found = std::max(found, across += it);
    return found;
  }

  const RingLimits& limits_;
  int capacity_;
  const workload::Demand& demand_;
  const std::vector<int>& counts_;
  std::vector<Split> split_;               // pairs with only one possible direction
  std::vector<ArcGroup> free_;             // clockwise arcs of pairs with a choice of direction
  std::vector<std::size_t> pair_;          // index of the pair of each entry of free_
  std::array<std::vector<int>, 2> fixed_;  // load without choice, per direction and segment
  std::vector<int> otherwise_;             // load if every free circuit goes counterclockwise
  int free_circuits_ = 0;                  // circuits with a choice of direction
  int shorter_clockwise_ = 0;              // free circuits whose shorter arc is clockwise
  bool unroutable_ = false;
};

}  // namespace

SplitFound split_circuits(const RingLimits& limits, int capacity, const workload::Demand& demand,
                          const std::vector<int>& counts, std::int64_t& work) {
  return Splitter(limits, capacity, demand, counts).run(work);
}

}  // namespace loom::fabric
