#include "loom/photonic/server/latencies.h"

#include <gtest/gtest.h>

namespace loom::photonic {
namespace {

TEST(Latencies, PercentilesAreExactToAThirtieth) {
  Latencies latencies;
  EXPECT_EQ(latencies.percentile(0.5).count(), 0);
  for (int i = 1; i <= 100'000; ++i) latencies.add(std::chrono::nanoseconds(i));
  EXPECT_EQ(latencies.count(), 100'000);
  for (const double share : {0.001, 0.5, 0.99, 1.0}) {
    const auto value = static_cast<double>(latencies.percentile(share).count());
    EXPECT_GE(value, share * 100'000);
    EXPECT_LE(value, share * 100'000 * (1 + 1.0 / 30) + 1);
  }
}

TEST(Latencies, SmallAndHugeTimesAreCounted) {
  Latencies latencies;
  latencies.add(std::chrono::nanoseconds(-5));
  latencies.add(std::chrono::nanoseconds(31));
  latencies.add(std::chrono::nanoseconds::max());
  EXPECT_EQ(latencies.percentile(0.3).count(), 0);
  EXPECT_EQ(latencies.percentile(0.6).count(), 31);
  EXPECT_GT(latencies.percentile(1).count(), std::int64_t{1} << 47);
}

}  // namespace
}  // namespace loom::photonic
