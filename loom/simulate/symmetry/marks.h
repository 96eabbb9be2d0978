// The marks of flows on one clock (link_clock.h), earliest first: a heap from which any mark can be
// removed. Each node has four children, as in heap.h. Unlike there, the position of each flow is
// stored outside, in one array for all clocks. Times and flows are stored separately: the times of
// the children of a node fill 64 bytes, and nothing else is read while descending the heap.
#pragma once

#include <cstddef>
#include <vector>

#include "loom/base/ids.h"
#include "loom/base/units.h"

namespace loom::simulate {

class Marks {
 public:
  struct Slot {
    LinkId clock{-1};  // for the caller: the clock whose marks these are
    int at = 0;
  };
  using Slots = std::vector<Slot>;  // by flow

  bool empty() const { return times_.empty(); }
  const Int128& first() const { return times_.front(); }
  FlowId first_flow() const { return flows_.front(); }
  const Int128& operator[](int at) const { return times_[static_cast<std::size_t>(at)]; }

  void insert(const Int128& time, FlowId flow, Slots& slots) {
    times_.push_back(time);
    flows_.push_back(flow);
    rise(times_.size() - 1, time, flow, slots);
  }

  void erase(int at, Slots& slots) {
    const auto hole = static_cast<std::size_t>(at);
    const Int128 time = times_.back();
    const FlowId flow = flows_.back();
    times_.pop_back();
    flows_.pop_back();
    if (hole == times_.size()) return;
    const bool early = hole > 0 && time < times_[(hole - 1) / 4];
    early ? rise(hole, time, flow, slots) : sink(hole, time, flow, slots);
  }

  // Converts all marks to a quantum that is 2^bits times as large; the reading of the clock
  // restarts at zero.
  void coarsen(const Int128& reading, int bits) {
    for (Int128& time : times_) time = (time - reading) >> bits;
  }

 private:
  void put(std::size_t at, const Int128& time, FlowId flow, Slots& slots) {
    times_[at] = time;
    flows_[at] = flow;
    slots[static_cast<std::size_t>(flow)].at = static_cast<int>(at);
  }

  // Places the mark between the root and the hole.
  void rise(std::size_t hole, const Int128& time, FlowId flow, Slots& slots) {
    while (hole > 0 && time < times_[(hole - 1) / 4]) {
      const std::size_t parent = (hole - 1) / 4;
      put(hole, times_[parent], flows_[parent], slots);
      hole = parent;
    }
    put(hole, time, flow, slots);
  }

  // Places the mark between the hole and the leaves.
  void sink(std::size_t hole, const Int128& time, FlowId flow, Slots& slots) {
    while (4 * hole + 1 < times_.size()) {
      std::size_t smallest = 4 * hole + 1;
      for (std::size_t child = smallest + 1; child < times_.size() && child <= 4 * hole + 4;
           ++child) {
        if (times_[child] < times_[smallest]) smallest = child;
      }
      if (!(times_[smallest] < time)) break;
      put(hole, times_[smallest], flows_[smallest], slots);
      hole = smallest;
    }
    put(hole, time, flow, slots);
  }

  std::vector<Int128> times_;
  std::vector<FlowId> flows_;
};

}  // namespace loom::simulate
