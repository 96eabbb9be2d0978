// What a collective takes on one ideal switch, worked out by hand, against the fluid engine: equal
// to the picosecond. α is the latency of a message, T(x) the time a link needs for x bytes, rounded
// up.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "tests/agree/collective_times.h"

namespace loom {
namespace {

// Sizes that divide by nothing much, that are fewer than ranks, and none at all.
constexpr Bytes kSizes[] = {0_B, 1_B, 17_B, 1000_B, 1'000'003_B};

class OnTheSwitch : public testing::TestWithParam<Duration> {
 protected:
  Duration alpha() const { return GetParam(); }
  Duration step(std::int64_t bytes) const { return alpha() + transfer_time({bytes}, kBandwidth); }

  Duration time(CollectiveKind kind, Algorithm algorithm, int ranks, Bytes size, int chunks = 1) {
    const Network network = fabric_of(
        fmt::format("kind: switch, bandwidth: {}, latency: {}", exact(kBandwidth), exact(alpha())),
        ranks);
    return fluid_time({.kind = kind, .algorithm = algorithm, .size = size, .chunks = chunks},
                      network);
  }

  static constexpr Bandwidth kBandwidth = 100_Gbps;
};

constexpr std::int64_t divided(Bytes size, int parts) { return (size.count + parts - 1) / parts; }

INSTANTIATE_TEST_SUITE_P(Latencies, OnTheSwitch, testing::Values(0_us, 1_us), [](const auto& it) {
  return it.param == 0_us ? "None" : "OneMicrosecond";
});

using enum CollectiveKind;
using enum Algorithm;

// 2(n-1) · (α + T(⌈S/n⌉)), half of it for one way.
TEST_P(OnTheSwitch, ARingTakesOneBlockAStep) {
  for (int n = 2; n <= 64; ++n) {
    for (const Bytes size : kSizes) {
      const Duration one_pass = (n - 1) * step(divided(size, n));
      ASSERT_EQ(time(all_reduce, ring, n, size), 2 * one_pass) << n << " ranks, " << exact(size);
      ASSERT_EQ(time(reduce_scatter, ring, n, size), one_pass) << n << " ranks, " << exact(size);
      ASSERT_EQ(time(all_gather, ring, n, size), one_pass) << n << " ranks, " << exact(size);
    }
  }
}

TEST_P(OnTheSwitch, ARingOfManyTakesOneBlockAStep) {
  for (const int n : {65, 96, 100, 127, 128, 200, 255, 256, 511, 1024}) {
    const Bytes size = 1'000'003_B;
    ASSERT_EQ(time(all_reduce, ring, n, size), 2 * (n - 1) * step(divided(size, n))) << n;
  }
}

// Two blocks of S/2n leave every rank at once: 2(n-1) · (α + T(S/n)).
TEST_P(OnTheSwitch, ATwoWayRingIsNoFasterThanARing) {
  for (const int n : {2, 3, 4, 7, 16, 33}) {
    const Bytes size{std::int64_t{2} * n * 12'347};
    const Duration one_pass = (n - 1) * step(divided(size, n));
    ASSERT_EQ(time(all_reduce, bidirectional_ring, n, size), 2 * one_pass) << n;
    ASSERT_EQ(time(reduce_scatter, bidirectional_ring, n, size), one_pass) << n;
    ASSERT_EQ(time(all_gather, bidirectional_ring, n, size), one_pass) << n;
  }
}

// In step k a rank sends S/2^k. Where blocks differ by a byte, a pair that is through sooner sends
// to ranks that still receive; only a latency keeps that from being seen.
TEST_P(OnTheSwitch, HalvingAndDoublingSendsHalfAsMuchEachStep) {
  for (int n = 2; n <= 256; n *= 2) {
    for (const std::int64_t block : {0, 1, 12'347}) {
      Duration one_pass{0};
      for (int blocks = n / 2; blocks >= 1; blocks /= 2) one_pass += step(blocks * block);
      const Bytes size{n * block};
      ASSERT_EQ(time(all_reduce, halving_doubling, n, size), 2 * one_pass) << n << ", " << block;
      ASSERT_EQ(time(reduce_scatter, halving_doubling, n, size), one_pass) << n << ", " << block;
      ASSERT_EQ(time(all_gather, halving_doubling, n, size), one_pass) << n << ", " << block;
    }
  }
}

TEST_P(OnTheSwitch, HalvingAndDoublingOfUnequalBlocksTakesTheLargerOnes) {
  if (alpha() == 0_us) return;
  for (int n = 2; n <= 256; n *= 2) {
    for (const Bytes size : kSizes) {
      Duration one_pass{0};
      for (int blocks = n / 2; blocks >= 1; blocks /= 2) {
        one_pass +=
            step(blocks * (size.count / n) + std::min<std::int64_t>(blocks, size.count % n));
      }
      ASSERT_EQ(time(all_reduce, halving_doubling, n, size), 2 * one_pass)
          << n << ", " << exact(size);
    }
  }
}

// n-1 messages share the port of whoever gets, or has, a larger block: α + T((n-1)·⌈S/n⌉).
TEST_P(OnTheSwitch, DirectExchangeSharesThePorts) {
  for (const int n : {2, 3, 4, 5, 8, 13, 16, 31, 64}) {
    for (const Bytes size : kSizes) {
      const Duration once = step((n - 1) * divided(size, n));
      ASSERT_EQ(time(all_reduce, direct, n, size), 2 * once) << n << " ranks, " << exact(size);
      ASSERT_EQ(time(reduce_scatter, direct, n, size), once) << n << " ranks, " << exact(size);
      ASSERT_EQ(time(all_gather, direct, n, size), once) << n << " ranks, " << exact(size);
      ASSERT_EQ(time(all_to_all, direct, n, size), once) << n << " ranks, " << exact(size);
    }
  }
}

TEST_P(OnTheSwitch, PairwiseExchangeTakesOneBlockARound) {
  for (const int n : {2, 3, 4, 5, 8, 13, 32, 64}) {
    const Bytes size{n * std::int64_t{54'321}};
    ASSERT_EQ(time(all_to_all, pairwise, n, size), (n - 1) * step(54'321)) << n;
  }
}

// All chunks wait for the first to go through the chain.
TEST_P(OnTheSwitch, AChainPassesTheBufferOnChunkByChunk) {
  for (const int n : {2, 3, 8, 50}) {
    for (const int chunks : {1, 2, 10}) {
      const std::int64_t chunk = 33'333;
      const Duration expected =
          (n - 1) * step(chunk) + (chunks - 1) * transfer_time({chunk}, kBandwidth);
      ASSERT_EQ(time(broadcast, ring, n, {chunks * chunk}, chunks), expected)
          << n << ", " << chunks;
    }
  }
}

TEST_P(OnTheSwitch, ADirectBroadcastLeavesByOnePort) {
  for (const int n : {2, 3, 8, 50}) {
    ASSERT_EQ(time(broadcast, direct, n, 77'777_B), step(std::int64_t{n - 1} * 77'777)) << n;
  }
  EXPECT_EQ(time(point_to_point, direct, 2, 77'777_B), step(77'777));
}

// With 2^k ranks all who pass on have two below them: k levels, each with two halves out of a port.
TEST_P(OnTheSwitch, ATreeBroadcastTakesTheWholeBufferALevel) {
  for (int n = 2; n <= 256; n *= 2) {
    const int levels = std::countr_zero(static_cast<unsigned>(n));
    ASSERT_EQ(time(broadcast, double_binary_tree, n, 77'778_B), levels * step(77'778)) << n;
  }
}

// Up and down again; above the topmost rank of each tree there is one more, alone with its half.
TEST_P(OnTheSwitch, ATreeAllReduceTakesTheWholeBufferALevelAndHalfOfItAtTheTop) {
  for (int n = 2; n <= 256; n *= 2) {
    const int levels = std::countr_zero(static_cast<unsigned>(n)) - 1;
    const Duration expected = 2 * (levels * step(77'778) + step(77'778 / 2));
    ASSERT_EQ(time(all_reduce, double_binary_tree, n, 77'778_B), expected) << n;
  }
}

}  // namespace
}  // namespace loom
