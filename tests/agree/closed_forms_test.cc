// Closed forms of collectives on one ideal switch against the fluid engine, equal to the
// picosecond. α is the latency of a message, T(x) the transfer time of x bytes, rounded up.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "tests/agree/collective_times.h"

namespace loom {
namespace {

// Sizes that do not divide evenly, that are smaller than the number of ranks, and zero.
constexpr Bytes kSizes[] = {0_B, 1_B, 17_B, 1000_B, 1'000'003_B};

class OnTheSwitch : public testing::TestWithParam<Duration> {
 protected:
  Duration alpha() const { return GetParam(); }
  Duration step(std::int64_t bytes) const { return alpha() + transfer_time({bytes}, kBandwidth); }

  Duration time(workload::CollectiveKind kind, workload::Algorithm algorithm, int ranks, Bytes size,
                int chunks = 1) {
    const fabric::Network network = fabric::fabric_of(
        fmt::format("kind: switch, bandwidth: {}, latency: {}", exact(kBandwidth), exact(alpha())),
        ranks);
    return fluid_time({.kind = kind, .algorithm = algorithm, .size = size, .chunks = chunks},
                      network);
  }

  static constexpr Bandwidth kBandwidth = 100_Gbps;
};

constexpr std::int64_t divided(Bytes size, int pieces) {
  return (size.count + pieces - 1) / pieces;
}

INSTANTIATE_TEST_SUITE_P(Latencies, OnTheSwitch, testing::Values(0_us, 1_us), [](const auto& it) {
  return it.param == 0_us ? "None" : "OneMicrosecond";
});

using enum workload::CollectiveKind;
using enum workload::Algorithm;

// 2(n-1) · (α + T(⌈S/n⌉)); half of it for a reduce-scatter or all-gather.
TEST_P(OnTheSwitch, ARingTakesOneBlockPerStep) {
  for (int n = 2; n <= 64; ++n) {
    for (const Bytes size : kSizes) {
      const Duration one_pass = (n - 1) * step(divided(size, n));
      ASSERT_EQ(time(all_reduce, ring, n, size), 2 * one_pass) << n << " ranks, " << exact(size);
      ASSERT_EQ(time(reduce_scatter, ring, n, size), one_pass) << n << " ranks, " << exact(size);
      ASSERT_EQ(time(all_gather, ring, n, size), one_pass) << n << " ranks, " << exact(size);
    }
  }
}

TEST_P(OnTheSwitch, ALargeRingTakesOneBlockPerStep) {
  for (const int n : {65, 96, 100, 127, 128, 200, 255, 256, 511, 1024}) {
    const Bytes size = 1'000'003_B;
    ASSERT_EQ(time(all_reduce, ring, n, size), 2 * (n - 1) * step(divided(size, n))) << n;
  }
}

// Two blocks of S/2n leave every rank at once: 2(n-1) · (α + T(S/n)).
TEST_P(OnTheSwitch, ABidirectionalRingIsNoFasterThanARing) {
  for (const int n : {2, 3, 4, 7, 16, 33}) {
    const Bytes size{std::int64_t{2} * n * 12'347};
    const Duration one_pass = (n - 1) * step(divided(size, n));
    ASSERT_EQ(time(all_reduce, bidirectional_ring, n, size), 2 * one_pass) << n;
    ASSERT_EQ(time(reduce_scatter, bidirectional_ring, n, size), one_pass) << n;
    ASSERT_EQ(time(all_gather, bidirectional_ring, n, size), one_pass) << n;
  }
}

// In step k a rank sends S/2^k. If blocks differ by a byte, a pair that finishes early sends to
// ranks that are still receiving; only a latency hides that.
TEST_P(OnTheSwitch, HalvingDoublingSendsHalfAsMuchInEachStep) {
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

TEST_P(OnTheSwitch, HalvingDoublingOfUnequalBlocksTakesTheTimeOfTheLargerOnes) {
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

// n-1 messages share the port of a rank with a larger block: α + T((n-1)·⌈S/n⌉).
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

TEST_P(OnTheSwitch, PairwiseExchangeTakesOneBlockPerRound) {
  for (const int n : {2, 3, 4, 5, 8, 13, 32, 64}) {
    const Bytes size{n * std::int64_t{54'321}};
    ASSERT_EQ(time(all_to_all, pairwise, n, size), (n - 1) * step(54'321)) << n;
  }
}

// The first chunk traverses the chain; the others follow it.
TEST_P(OnTheSwitch, AChainForwardsTheBufferChunkByChunk) {
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

// With 2^k ranks every forwarding rank has two children: k levels, two halves out of a port in
// each.
TEST_P(OnTheSwitch, ATreeBroadcastTakesTheWholeBufferPerLevel) {
  for (int n = 2; n <= 256; n *= 2) {
    const int levels = std::countr_zero(static_cast<unsigned>(n));
    ASSERT_EQ(time(broadcast, double_binary_tree, n, 77'778_B), levels * step(77'778)) << n;
  }
}

// Up and down; above the top rank of each tree there is a root with a single child.
TEST_P(OnTheSwitch, ATreeAllReduceTakesTheWholeBufferPerLevelAndHalfOfItAtTheTop) {
  for (int n = 2; n <= 256; n *= 2) {
    const int levels = std::countr_zero(static_cast<unsigned>(n)) - 1;
    const Duration expected = 2 * (levels * step(77'778) + step(77'778 / 2));
    ASSERT_EQ(time(all_reduce, double_binary_tree, n, 77'778_B), expected) << n;
  }
}

}  // namespace
}  // namespace loom
