// Priority queue of the open links (those with unknown level), lowest guessed level first, then
// lowest link number. Of two links with equal levels, the first to leave the queue becomes the
// bottleneck of the flows on both, so no flow has to change its bottleneck later.
//
// Most entries are added at once and nearly sorted. They form a sorted array, the line, which is
// consumed from the front. The few entries that are added later go through a heap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "loom/base/ids.h"

namespace loom::transport {

class LevelQueue {
 public:
  struct Entry {
    std::int64_t key;
    LinkId link;
    bool operator<(const Entry& other) const {
      return key != other.key ? key < other.key : link < other.link;
    }
  };

  void clear() {
    line_ = {};
    heap_.clear();
  }
  bool empty() const { return line_.empty() && heap_.empty(); }
  std::int64_t lowest_key() const {
    return empty() ? std::numeric_limits<std::int64_t>::max() : front().key;
  }

  // The next entry of the line; nullptr if the line is empty.
  const Entry* following() const { return line_.empty() ? nullptr : line_.data(); }

  void push(std::int64_t key, LinkId link) {
    heap_.push_back({key, link});
    std::push_heap(heap_.begin(), heap_.end(), Later());
  }

  // Adds many entries at once.
  void push_all(std::vector<Entry>& more) {
    constexpr std::size_t kFew = 4;
    if (more.size() <= kFew) {
      for (const Entry& entry : more) push(entry.key, entry.link);
      return;
    }
    if (!std::is_sorted(more.begin(), more.end())) std::sort(more.begin(), more.end());
    sorted_.swap(more);
    follow(sorted_);
  }

  // Adds entries that are already sorted, without copying them; they must stay in place until
  // clear().
  void follow(std::span<const Entry> line) {
    for (const Entry& entry : line_) push(entry.key, entry.link);
    line_ = line;
  }

  Entry pop() {
    if (from_line()) {
      const Entry entry = line_.front();
      line_ = line_.subspan(1);
      return entry;
    }
    std::pop_heap(heap_.begin(), heap_.end(), Later());
    const Entry entry = heap_.back();
    heap_.pop_back();
    return entry;
  }

 private:
  struct Later {  // a type, so that the comparison is inlined
    bool operator()(const Entry& a, const Entry& b) const { return b < a; }
  };
  bool from_line() const {
    return !line_.empty() && (heap_.empty() || line_.front() < heap_.front());
  }
  const Entry& front() const { return from_line() ? line_.front() : heap_.front(); }

  std::span<const Entry> line_;
  std::vector<Entry> sorted_;  // storage of the line after push_all()
  std::vector<Entry> heap_;
};

}  // namespace loom::transport
