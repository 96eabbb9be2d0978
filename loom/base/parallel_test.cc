#include "loom/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "loom/base/cache.h"

namespace loom {
namespace {

TEST(Parallel, EveryIndexIsVisitedOnce) {
  for (const int threads : {0, 1, 2, 4, 100}) {
    for (const std::size_t count : {0, 1, 2, 3, 1000}) {
      std::vector<std::atomic<int>> turns(count);
      for_each_index(count, threads, [&](std::size_t i) { ++turns[i]; });
      for (const auto& it : turns) EXPECT_EQ(it, 1) << threads << " threads, " << count;
    }
  }
}

TEST(Parallel, OneThreadKeepsTheOrder) {
  std::vector<std::size_t> order;
  for_each_index(100, 1, [&](std::size_t i) { order.push_back(i); });
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(Parallel, CallsNest) {
  for (const int threads : {0, 1, 2, 4}) {
    std::vector<std::size_t> sums(20);
    for_each_index(sums.size(), threads, [&](std::size_t outer) {
      std::vector<std::size_t> products(50);
      for_each_index(products.size(), threads, [&](std::size_t inner) {
        for_each_index(2, threads, [](std::size_t) {});
        products[inner] = outer * inner;
      });
      for (const std::size_t it : products) sums[outer] += it;
    });
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], i * 1225);
  }
}

// A thread that waits in a nested call does not take other outer indices: it finishes an outer
// index before it begins the next.
TEST(Parallel, AWaitingThreadTakesNoOtherIndices) {
  std::atomic<int> mixed{0};
  for_each_index(64, 4, [&](std::size_t) {
    thread_local int begun = 0;
    if (begun++ > 0) ++mixed;
    for_each_index(8, 4, [](std::size_t) {});
    --begun;
  });
  EXPECT_EQ(mixed, 0);
}

TEST(Parallel, TheErrorOfTheLowestIndexIsThrownWhenAllAreDone) {
  for (const int threads : {1, 4}) {
    std::atomic<int> done{0};
    std::string thrown;
    try {
      for_each_index(50, threads, [&](std::size_t i) {
        ++done;
        if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      thrown = error.what();
    }
    EXPECT_EQ(thrown, "7");
    EXPECT_EQ(done, 50);
  }
}

TEST(Cache, ComputesEachAnswerOnce) {
  Cache<std::size_t, std::string> cache;
  std::atomic<int> worked{0};
  for_each_index(400, 4, [&](std::size_t i) {
    const std::string& answer = cache.answer(i % 20, [&] {
      ++worked;
      return std::to_string(i % 20);
    });
    EXPECT_EQ(answer, std::to_string(i % 20));
  });
  EXPECT_EQ(worked, 20);
}

TEST(Cache, AFailedAnswerIsComputedAgain) {
  Cache<int, int> cache;
  EXPECT_THROW(cache.answer(1, []() -> int { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(cache.answer(1, [] { return 2; }), 2);
  EXPECT_EQ(cache.answer(1, [] { return 3; }), 2);
  cache.clear();
  EXPECT_EQ(cache.answer(1, [] { return 3; }), 3);
}

}  // namespace
}  // namespace loom
