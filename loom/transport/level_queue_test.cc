#include "loom/transport/level_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "loom/base/random.h"

namespace loom::transport {
namespace {

TEST(LevelQueue, TheLowestComesFirstFromLineAndHeap) {
  using Entry = LevelQueue::Entry;
  Random random = random_stream(43);
  const auto entry = [&] { return Entry{random(50), LinkId(random(50))}; };
  LevelQueue queue;
  for (int number = 0; number < 500; ++number) {
    SCOPED_TRACE(number);
    queue.clear();
    ASSERT_TRUE(queue.empty());
    std::multiset<std::pair<std::int64_t, LinkId>> all;
    std::vector<std::vector<Entry>> lines;
    lines.reserve(100);  // a line must not move in memory
    for (int step = 0; step < 100 || !all.empty(); ++step) {
      const std::uint32_t kind = step < 100 ? random(8) : 8;
      if (kind == 0) {
        std::vector<Entry> more(random(12));
        for (Entry& it : more) it = entry();
        for (const Entry& it : more) all.emplace(it.key, it.link);
        std::sort(more.begin(), more.end());
        lines.push_back(std::move(more));
        queue.follow(lines.back());
      } else if (kind == 1) {
        std::vector<Entry> more(random(12));
        for (Entry& it : more) it = entry();
        for (const Entry& it : more) all.emplace(it.key, it.link);
        queue.push_all(more);
      } else if (kind < 4) {
        const Entry it = entry();
        all.emplace(it.key, it.link);
        queue.push(it.key, it.link);
      } else if (!all.empty()) {
        ASSERT_EQ(queue.lowest_key(), all.begin()->first);
        const Entry it = queue.pop();
        ASSERT_EQ(std::pair(it.key, it.link), *all.begin());
        all.erase(all.begin());
      }
      ASSERT_EQ(queue.empty(), all.empty());
    }
  }
}

}  // namespace
}  // namespace loom::transport
