// Thread-safe memoization: the answer for a key is computed once; other threads that request the
// same key wait for it.
//
// An answer must depend on its key only, so that the order of requests does not matter. Computing
// an answer must not wait for other threads, because they may be waiting for this answer.
#pragma once

#include <map>
#include <mutex>
#include <optional>

namespace loom {

template <class Key, class Answer>
class Cache {
 public:
  // Returns the answer for `key`; the first request computes it by work(). The reference stays
  // valid until clear().
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
