// The marks on one clock, the earliest first: a heap from which any can be taken.
// Four children a node, as in heap.h; but the ids are not this heap's own, so where each stands is
// kept for all clocks together.
#pragma once

#include <cstddef>
#include <vector>

#include "loom/base/units.h"

namespace loom {

class Marks {
 public:
  struct Mark {
    Int128 at;
    int flow;
  };
  using Places = std::vector<int>;  // by flow: where its mark stands

  bool empty() const { return marks_.empty(); }
  const Mark& first() const { return marks_.front(); }
  const Mark& operator[](int place) const { return marks_[static_cast<std::size_t>(place)]; }

  void insert(const Mark& mark, Places& places) {
    marks_.push_back(mark);
    rise(marks_.size() - 1, places);
  }

  void erase(int place, Places& places) {
    const auto hole = static_cast<std::size_t>(place);
    const Mark last = marks_.back();
    marks_.pop_back();
    if (hole == marks_.size()) return;
    put(hole, last, places);
    rise(hole, places);
    sink(static_cast<std::size_t>(places[static_cast<std::size_t>(last.flow)]), places);
  }

  // A quantum is from now on 2^bits of the old ones, and the clock begins again at zero.
  void coarsen(Int128 reading, int bits) {
    for (Mark& mark : marks_) mark.at = (mark.at - reading) >> bits;
  }

 private:
  void put(std::size_t at, const Mark& mark, Places& places) {
    marks_[at] = mark;
    places[static_cast<std::size_t>(mark.flow)] = static_cast<int>(at);
  }

  void rise(std::size_t at, Places& places) {
    const Mark mark = marks_[at];
    while (at > 0 && mark.at < marks_[(at - 1) / 4].at) {
      put(at, marks_[(at - 1) / 4], places);
      at = (at - 1) / 4;
    }
    put(at, mark, places);
  }

  void sink(std::size_t at, Places& places) {
    const Mark mark = marks_[at];
    while (4 * at + 1 < marks_.size()) {
      std::size_t least = 4 * at + 1;
      for (std::size_t child = least + 1; child < marks_.size() && child <= 4 * at + 4; ++child) {
        if (marks_[child].at < marks_[least].at) least = child;
      }
      if (!(marks_[least].at < mark.at)) break;
      put(at, marks_[least], places);
      at = least;
    }
    put(at, mark, places);
  }

  std::vector<Mark> marks_;
};

}  // namespace loom
