#include "loom/simulate/heap.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "loom/base/random.h"

namespace loom::simulate {
namespace {

TEST(IndexedHeap, TheSmallestKeyIsOnTop) {
  IndexedHeap<int> heap;
  heap.set(4, 30);
  heap.set(9, 10);
  heap.set(0, 20);
  EXPECT_EQ(heap.top(), 9);
  EXPECT_EQ(heap.top_key(), 10);
  EXPECT_EQ(heap.size(), 3U);
}

TEST(IndexedHeap, AKeyCanIncreaseAndDecrease) {
  IndexedHeap<int> heap;
  heap.set(1, 10);
  heap.set(2, 20);
  heap.set(1, 30);
  EXPECT_EQ(heap.top(), 2);
  heap.set(1, 5);
  EXPECT_EQ(heap.top(), 1);
  EXPECT_EQ(heap.size(), 2U);
}

TEST(IndexedHeap, ErasingAnAbsentIdChangesNothing) {
  IndexedHeap<int> heap;
  heap.erase(7);
  heap.set(1, 10);
  heap.erase(7);
  heap.erase(1);
  heap.erase(1);
  EXPECT_TRUE(heap.empty());
}

TEST(IndexedHeap, AnyChecksEveryId) {
  IndexedHeap<int> heap;
  for (int id = 0; id < 10; ++id) heap.set(id, -id);
  heap.erase(3);
  EXPECT_TRUE(heap.any([](int id) { return id == 0; }));
  EXPECT_FALSE(heap.any([](int id) { return id == 3; }));
}

TEST(IndexedHeap, ItAgreesWithASortedSetOnRandomOperations) {
  Random random = random_stream(31);
  IndexedHeap<std::pair<unsigned, int>> heap;
  std::map<int, std::pair<unsigned, int>> key_of;
  std::set<std::pair<unsigned, int>> sorted;
  for (int step = 0; step < 100'000; ++step) {
    const int id = static_cast<int>(random(step % 1000 < 500 ? 300 : 10));
    if (key_of.count(id) > 0) sorted.erase(key_of[id]);
    if (random(3) == 0) {
      heap.erase(id);
      key_of.erase(id);
    } else {
      const std::pair key(random(50), id);
      heap.set(id, key);
      key_of[id] = key;
      sorted.insert(key);
    }
    ASSERT_EQ(heap.size(), sorted.size());
    ASSERT_EQ(heap.empty(), sorted.empty());
    if (sorted.empty()) continue;
    ASSERT_EQ(heap.top_key(), *sorted.begin()) << "step " << step;
    ASSERT_EQ(heap.top(), sorted.begin()->second) << "step " << step;
  }
}

}  // namespace
}  // namespace loom::simulate
