#include "bpf/bench_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/random.h"

namespace loom::bpf {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

Burst burst(std::int64_t begin, std::int64_t end) {
  return {std::chrono::milliseconds(begin), std::chrono::milliseconds(end)};
}

TEST(BenchSummary, AnIterationLastsFromStartToStart) {
  EXPECT_THAT(iteration_times({burst(0, 5), burst(10, 30), burst(40, 41)}),
              ElementsAre(10_ms, 30_ms));
  EXPECT_TRUE(iteration_times({burst(0, 5)}).empty());
}

TEST(BenchSummary, OverlapIsTheFractionInWhichOthersCommunicateToo) {
  const std::vector<std::vector<Burst>> two = {{burst(0, 10), burst(20, 30)},
                                               {burst(5, 15), burst(30, 40)}};
  EXPECT_THAT(overlaps(two, 0), ElementsAre(0.5, 0.0));
  EXPECT_THAT(overlaps(two, 1), ElementsAre(0.5, 0.0));
}

TEST(BenchSummary, TimeSharedWithTwoOthersCountsOnce) {
  const std::vector<std::vector<Burst>> three = {{burst(0, 10)}, {burst(0, 6)}, {burst(4, 8)}};
  EXPECT_THAT(overlaps(three, 0), ElementsAre(DoubleNear(0.8, 1e-12)));
}

// Checked against counting millisecond by millisecond.
TEST(BenchSummary, OverlapEqualsACountByMilliseconds) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random = random_stream(seed);
    std::vector<std::vector<Burst>> bursts(2 + random(3));
    std::vector<std::vector<bool>> talks(bursts.size(), std::vector<bool>(1000));
    for (std::size_t job = 0; job < bursts.size(); ++job) {
      for (std::int64_t now = random(20); now < 900;) {
        const std::int64_t end = now + 1 + random(40);
        bursts[job].push_back(burst(now, end));
        for (std::int64_t i = now; i < end; ++i) talks[job][static_cast<std::size_t>(i)] = true;
        now = end + 1 + random(40);
      }
    }
    const std::vector<double> given = overlaps(bursts, 0);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto begin = bursts[0][i].begin / 1_ms;
      const auto end = bursts[0][i].end / 1_ms;
      double both = 0;
      for (auto at = begin; at < end; ++at) {
        for (std::size_t job = 1; job < talks.size(); ++job) {
          if (!talks[job][static_cast<std::size_t>(at)]) continue;
          ++both;
          break;
        }
      }
      EXPECT_NEAR(given[i], both / static_cast<double>(end - begin), 1e-9) << "seed " << seed;
    }
  }
}

TEST(BenchSummary, JobsAreInterleavedFromTheFirstOfThreeIterationsApart) {
  std::vector<std::vector<Burst>> two(2);
  for (std::int64_t i = 0; i < 10; ++i) {
    two[0].push_back(burst(100 * i, 100 * i + 40));
    const std::int64_t late = i == 2  ? 45
                              : i < 4 ? 10 * i
                                      : 50;  // apart once at random, then from the fifth on
    two[1].push_back(burst(100 * i + late, 100 * i + late + 40));
  }
  EXPECT_EQ(interleaved_from(two), 5);
  two[0].resize(6);
  two[1].resize(6);
  EXPECT_EQ(interleaved_from(two), std::nullopt);
}

TEST(BenchSummary, AnEstimateIsAStudentTInterval) {
  // Values 1, 2, 3: standard deviation 1, half width 4.303 / sqrt(3).
  EXPECT_NEAR(estimate({1, 2, 3}).mean, 2, 1e-12);
  EXPECT_NEAR(estimate({1, 2, 3}).half_width, 2.4843, 1e-4);
  EXPECT_EQ(estimate({7}).half_width, 0);
}

TEST(BenchSummary, VariantsAreComparedSeedBySeedWithTheKernelsOwn) {
  BenchSpec spec;
  spec.algorithms = {"reno", "mltcp_reno", "mltcp_reno_f1", "reno_shifted", "mltcp_cubic"};
  BenchResult result;
  for (const std::string& name : spec.algorithms) {
    for (int seed = 0; seed < 2; ++seed) {
      const int step = 100 * (seed + 1) - (name == "mltcp_reno" ? 10 : 0);
      result.runs.push_back(
          {.algorithm = name, .seed = seed, .bursts = {{burst(0, 5), burst(step, step + 5)}}});
    }
  }
  const std::vector<AlgorithmSummary> all = summaries(spec, result);
  EXPECT_EQ(all[0].compared_with, "");
  EXPECT_EQ(all[1].compared_with, "reno");
  EXPECT_NEAR(all[1].difference.mean, -0.010, 1e-9);
  EXPECT_NEAR(all[1].difference.half_width, 0, 1e-9);
  EXPECT_EQ(all[2].compared_with, "reno");
  EXPECT_EQ(all[3].compared_with, "reno");
  EXPECT_EQ(all[4].compared_with, "");  // cubic was not measured
}

TEST(BenchSpec, SuffixesAreNotTheKernels) {
  EXPECT_EQ(kernel_algorithm("mltcp_reno_f1"), "mltcp_reno");
  EXPECT_EQ(kernel_algorithm("cubic_shifted"), "cubic");
  EXPECT_EQ(kernel_algorithm("bbr"), "bbr");
}

TEST(BenchSpec, AnAlgorithmThatIsNamedTwiceRunsOnce) {
  EXPECT_THAT(algorithms_in("reno,,reno_shifted,reno,reno_shifted"),
              ElementsAre("reno", "reno_shifted"));
  EXPECT_TRUE(algorithms_in(",").empty());
}

TEST(BenchSpec, AnIsolatedJobMayTakeAllOfItsJitter) {
  BenchSpec spec;
  spec.jitter = 40_ms;
  EXPECT_EQ(expected_isolated(spec), sending_time(spec) + 340_ms);
}

TEST(BenchSpec, SeedsSpreadTheStartsOverTheSendingTime) {
  BenchSpec spec;
  spec.seeds = 4;
  EXPECT_EQ(apart(spec, 0), sending_time(spec) / 8);
  EXPECT_EQ(apart(spec, 3), sending_time(spec) * 7 / 8);
}

}  // namespace
}  // namespace loom::bpf
