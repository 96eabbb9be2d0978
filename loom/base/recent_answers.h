// Thread-safe memoization of the most recent answers, for answers that are too large to keep all
// (cache.h keeps all).
//
// An answer must depend on its key only: two threads that request the same key at the same time may
// both compute it, and which answers are kept depends on the order of requests.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace loom {

template <class Key, class Answer>
class RecentAnswers {
 public:
  explicit RecentAnswers(std::size_t max) : max_(max) {}

  // Returns the answer for `key`, computed by work() if it is not among the most recent.
  template <class Work>
  std::shared_ptr<const Answer> answer(const Key& key, Work&& work) {
    if (auto known = find(key)) return known;
    auto made = std::make_shared<const Answer>(work());
    const std::scoped_lock lock(mutex_);
    answers_.emplace_back(key, made);
    if (answers_.size() > max_) answers_.pop_front();
    return made;
  }

 private:
  std::shared_ptr<const Answer> find(const Key& key) {
    const std::scoped_lock lock(mutex_);
    for (const auto& [known, answer] : answers_) {
      if (known == key) return answer;
    }
    return nullptr;
  }

  const std::size_t max_;
  std::mutex mutex_;
  std::deque<std::pair<Key, std::shared_ptr<const Answer>>> answers_;  // oldest first
};

}  // namespace loom
