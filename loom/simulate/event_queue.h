// Event queue: earliest time first; among equal times, first pushed first.
//
// Most events are pushed for the same latency after now, so they arrive in time order. These events
// wait in a FIFO; only the others go through a heap.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace loom::simulate {

// An event has a `time` and an `order`, the sequence number of its push.
template <class Event>
class EventQueue {
 public:
  bool empty() const { return line_.empty() && heap_.empty(); }
  const Event& top() const { return from_line() ? line_.front() : heap_.front(); }

  // Constructs an event in place from its time, its order and its remaining arguments.
  template <class... Args>
  void emplace(decltype(Event::time) time, Args&&... args) {
    const bool in_line = line_.empty() || !(time < line_.back().time);
    if (in_line) {
      line_.emplace_back(time, std::forward<Args>(args)...);
      return;
    }
    heap_.emplace_back(time, std::forward<Args>(args)...);
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  void pop() {
    if (from_line()) return line_.pop_front();
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }

 private:
  static bool later(const Event& a, const Event& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
  }
  bool from_line() const {
    return !line_.empty() && (heap_.empty() || later(heap_.front(), line_.front()));
  }

  std::deque<Event> line_;
  std::vector<Event> heap_;
};

}  // namespace loom::simulate
