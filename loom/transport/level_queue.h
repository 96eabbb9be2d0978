// The open links of a solve, lowest guessed level first. Of equal ones the first takes the flows
// that they share, so that none has to be given back.
//
// Most come all at once and nearly in order: they are sorted once and taken from the front. The few
// that come later go through a heap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace loom {

class LevelQueue {
 public:
  struct Entry {
    std::int64_t key;
    int link;
    bool operator<(const Entry& other) const {
      return key != other.key ? key < other.key : link < other.link;
    }
  };

  void clear() {
    sorted_.clear();
    next_ = 0;
    heap_.clear();
  }
  bool empty() const { return next_ == sorted_.size() && heap_.empty(); }
  std::int64_t lowest_key() const {
    return empty() ? std::numeric_limits<std::int64_t>::max() : front().key;
  }

  // The next one in line, if there is a line.
  const Entry* following() const { return next_ < sorted_.size() ? &sorted_[next_] : nullptr; }

  void push(std::int64_t key, int link) {
    heap_.push_back({key, link});
    std::push_heap(heap_.begin(), heap_.end(), Later());
  }

  // Takes in many at once, and may leave others behind.
  void push_all(std::vector<Entry>& more) {
    constexpr std::size_t kFew = 4;
    if (more.size() <= kFew) {
      for (const Entry& entry : more) push(entry.key, entry.link);
      return;
    }
    if (!std::is_sorted(more.begin(), more.end())) std::sort(more.begin(), more.end());
    if (next_ == sorted_.size()) {
      sorted_.swap(more);
    } else {
      const auto middle = sorted_.insert(sorted_.end(), more.begin(), more.end());
      std::inplace_merge(sorted_.begin() + static_cast<std::ptrdiff_t>(next_), middle,
                         sorted_.end());
      sorted_.erase(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(next_));
    }
    next_ = 0;
  }

  Entry pop() {
    if (from_sorted()) return sorted_[next_++];
    std::pop_heap(heap_.begin(), heap_.end(), Later());
    const Entry entry = heap_.back();
    heap_.pop_back();
    return entry;
  }

 private:
  struct Later {  // a type, so that it is compiled into the heap
    bool operator()(const Entry& a, const Entry& b) const { return b < a; }
  };
  bool from_sorted() const {
    return next_ < sorted_.size() && (heap_.empty() || sorted_[next_] < heap_.front());
  }
  const Entry& front() const { return from_sorted() ? sorted_[next_] : heap_.front(); }

  std::vector<Entry> sorted_;
  std::size_t next_ = 0;
  std::vector<Entry> heap_;
};

}  // namespace loom
