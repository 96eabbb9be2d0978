// Thread-safe memoization: each answer is computed once; concurrent requests for it wait.
//
// An answer must depend on its key only, so that it does not matter who asks first. Computing one
// must not wait for other threads, which might be waiting for it.
#pragma once

#include <map>
#include <mutex>
#include <optional>

namespace loom {

template <class Key, class Answer>
class Cache {
 public:
  // Calls work() if the answer is not known yet. The reference stays valid until clear().
  template <class Work>
  const Answer& answer(const Key& key, Work&& work) {
    Entry& entry = entry_of(key);
    const std::scoped_lock lock(entry.mutex);
    if (!entry.answer) entry.answer.emplace(work());
    return *entry.answer;
  }

  // Must not run concurrently with answer().
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    std::mutex mutex;
    std::optional<Answer> answer;
  };

  Entry& entry_of(const Key& key) {
    const std::scoped_lock lock(mutex_);
    return entries_[key];
  }

  std::mutex mutex_;
  std::map<Key, Entry> entries_;
};

}  // namespace loom
