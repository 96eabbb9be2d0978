#include "loom/photonic/serving/core_clocks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/random.h"

namespace loom::photonic {
namespace {

// Reference: one clock per core, one product at a time.
class PlainClocks {
 public:
  explicit PlainClocks(std::size_t cores) : free_(cores, 0) {}

  Tick deal(Tick now, std::int64_t count, Tick each) {
    Tick last = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      Tick& free = free_[next_++ % free_.size()];
      free = std::max(now, free) + each;
      last = std::max(last, free);
    }
    return last;
  }

  Tick free_at(std::size_t core) const { return free_[core]; }

 private:
  std::vector<Tick> free_;
  std::size_t next_ = 0;
};

TEST(CoreClocks, TheTreeMatchesOneClockPerCore) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const std::int64_t cores = 1 + random(20);
    CoreClocks clocks(cores);
    PlainClocks plain(static_cast<std::size_t>(cores));
    Tick now = 0;
    for (int i = 0; i < 100; ++i) {
      now += random(30);
      const std::int64_t count = 1 + random(50);
      const Tick each = 1 + random(10);
      ASSERT_EQ(clocks.deal(now, count, each), plain.deal(now, count, each));
      for (std::int64_t core = 0; core < cores; ++core) {
        ASSERT_EQ(clocks.free_at(core), plain.free_at(static_cast<std::size_t>(core)));
      }
    }
  }
}

TEST(CoreClocks, AHundredThousandCoresCostAsLittleAsAHundred) {
  CoreClocks clocks(100'000);
  for (int i = 0; i < 200'000; ++i) clocks.deal(0, 1 + i % 150'001, 1 + i % 7);
  // The total work spread over all cores: no core was idle.
  Tick work = 0;
  Tick done = 0;
  for (std::int64_t i = 0; i < 200'000; ++i) work += (1 + i % 150'001) * (1 + i % 7);
  for (std::int64_t core = 0; core < 100'000; ++core) done += clocks.free_at(core);
  EXPECT_EQ(done, work);
}

}  // namespace
}  // namespace loom::photonic
