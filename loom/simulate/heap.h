// Indexed 4-ary heap of small ids: any id can be removed and any key changed. Four children per
// node: fewer levels, and siblings share a cache line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace loom::simulate {

// `Number` is an int or an id.
template <class Key, class Number = int>
class IndexedHeap {
 public:
  bool empty() const { return slots_.empty(); }
  std::size_t size() const { return slots_.size(); }
  Number top() const { return slots_.front().id; }
  const Key& top_key() const { return slots_.front().key; }

  // Inserts the id, or changes its key.
  void set(Number id, const Key& key) {
    const auto index = static_cast<std::size_t>(id);
    if (index >= where_.size()) where_.resize(index + 1, kAbsent);
    if (where_[index] == kAbsent) {
      where_[index] = slots_.size();
      slots_.push_back({key, id});
      rise(where_[index]);
      return;
    }
    slots_[where_[index]].key = key;
    rise(where_[index]);
    sink(where_[index]);
  }

  // Removes the id, if present.
  void erase(Number id) {
    const auto index = static_cast<std::size_t>(id);
    if (index >= where_.size() || where_[index] == kAbsent) return;
    const std::size_t hole = where_[index];
    where_[index] = kAbsent;
    const Slot last = slots_.back();
    slots_.pop_back();
    if (hole == slots_.size()) return;
    put(hole, last);
    rise(hole);
    sink(where_[static_cast<std::size_t>(last.id)]);
  }

  // For bulk updates: keys are stored without reordering, and restore() rebuilds the heap once.
  // Until then top() is meaningless.
  void set_loosely(Number id, const Key& key) {
    const auto index = static_cast<std::size_t>(id);
    if (index >= where_.size() || where_[index] == kAbsent) return set(id, key);
    slots_[where_[index]].key = key;
  }
  void restore() {
    for (std::size_t at = (slots_.size() + 2) / 4; at > 0; --at) sink(at - 1);
  }

  template <class Predicate>
  bool any(Predicate holds) const {
    return std::any_of(slots_.begin(), slots_.end(), [&](const Slot& it) { return holds(it.id); });
  }

 private:
  struct Slot {
    Key key;
    Number id;
  };
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  void put(std::size_t at, const Slot& slot) {
    slots_[at] = slot;
    where_[static_cast<std::size_t>(slot.id)] = at;
  }

  void rise(std::size_t at) {
    const Slot slot = slots_[at];
    const std::size_t from = at;
    while (at > 0 && slot.key < slots_[(at - 1) / 4].key) {
      put(at, slots_[(at - 1) / 4]);
      at = (at - 1) / 4;
    }
    if (at != from) put(at, slot);
  }

  void sink(std::size_t at) {
    const Slot slot = slots_[at];
    const std::size_t from = at;
    while (4 * at + 1 < slots_.size()) {
      std::size_t smallest = 4 * at + 1;
      for (std::size_t child = smallest + 1; child < slots_.size() && child <= 4 * at + 4;
           ++child) {
        if (slots_[child].key < slots_[smallest].key) smallest = child;
      }
      if (!(slots_[smallest].key < slot.key)) break;
      put(at, slots_[smallest]);
      at = smallest;
    }
    if (at != from) put(at, slot);
  }

  std::vector<Slot> slots_;
  std::vector<std::size_t> where_;
};

}  // namespace loom::simulate
