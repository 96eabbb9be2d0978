#include "loom/simulate/event_queue.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"

namespace loom::simulate {
namespace {

struct Tick {
  Tick(std::uint32_t at, int number) : time(at), order(number) {}

  std::uint32_t time;
  int order;
};

TEST(EventQueue, TheEarliestComesFirstAndEqualTimesKeepTheirOrder) {
  Random random = random_stream(31);
  for (int number = 0; number < 200; ++number) {
    EventQueue<Tick> queue;
    Tick last{0, -1};
    for (int order = 0; order < 300 || !queue.empty(); ++order) {
      const bool pushes = order < 300;
      if (pushes) queue.emplace(last.time + (random(4) == 0 ? random(20) : 10), order);
      if (pushes && random(3) == 0) continue;
      const Tick next = queue.top();
      queue.pop();
      ASSERT_GE(next.time, last.time) << "case " << number;
      ASSERT_TRUE(next.time > last.time || next.order > last.order) << "case " << number;
      last = next;
    }
  }
}

}  // namespace
}  // namespace loom::simulate
