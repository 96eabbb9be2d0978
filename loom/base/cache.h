// Answers that are kept, for many threads: each is worked out once, and who asks meanwhile waits.
//
// An answer has to follow from its key alone: then it does not matter who asked first. Working one
// out must not wait for other threads, which might be waiting for it.
#pragma once

#include <map>
#include <mutex>
#include <optional>

namespace loom {

template <class Key, class Answer>
class Cache {
 public:
  // work() gives the answer where it is not known. The reference stays valid until clear().
  template <class Work>
  const Answer& answer(const Key& key, Work&& work) {
    Entry& entry = entry_of(key);
    const std::scoped_lock lock(entry.mutex);
    if (!entry.answer) entry.answer.emplace(work());
    return *entry.answer;
  }

  // While nobody asks.
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
