#include "loom/jobs/cassini/align_jobs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "loom/base/random.h"

namespace loom::jobs {
namespace {

PlacedProfile burst(Duration compute, Duration send, const std::vector<int>& links,
                    Bandwidth rate) {
  PlacedProfile it;
  ProfileStage sends{send, {}};
  for (const int l : links) sends.rates.push_back({l, rate});
  it.profile.stages = {{compute, {}}, sends};
  it.period = compute + send;
  return it;
}

const std::vector<SharedLink> kLinks = {{"a", 50_Gbps}, {"b", 50_Gbps}, {"c", 50_Gbps}};

TEST(AlignJobs, JobsThatShareNoLinkFormNoGroup) {
  const PlacedProfile a = burst(60_ms, 40_ms, {0}, 50_Gbps);
  const PlacedProfile b = burst(60_ms, 40_ms, {1}, 50_Gbps);
  JobAligner aligner(kLinks, {});
  const std::vector<const PlacedProfile*> jobs = {&a, &b};
  const Aligned found = aligner.align(jobs);
  EXPECT_TRUE(found.groups.empty());
  EXPECT_EQ(found.contended, 0);
  EXPECT_EQ(found.score, 1);
}

TEST(AlignJobs, ALinkThatJobsCannotFillIsContendedButFormsNoGroup) {
  const PlacedProfile a = burst(60_ms, 40_ms, {0}, 20_Gbps);
  JobAligner aligner(kLinks, {});
  const std::vector<const PlacedProfile*> jobs = {&a, &a};
  const Aligned found = aligner.align(jobs);
  EXPECT_TRUE(found.groups.empty());
  EXPECT_EQ(found.contended, 1);
}

TEST(AlignJobs, TwoEqualJobsThatFitOnALinkAreKeptApart) {
  const PlacedProfile a = burst(60_ms, 40_ms, {0}, 50_Gbps);
  JobAligner aligner(kLinks, {});
  const std::vector<const PlacedProfile*> jobs = {&a, &a};
  const Aligned found = aligner.align(jobs);
  ASSERT_EQ(found.groups.size(), 1U);
  const AlignedGroup& group = found.groups.front();
  EXPECT_TRUE(group.apart);
  EXPECT_EQ(group.padding, 0);
  const auto distance = std::abs((group.shifts[0] - group.shifts[1]).count());
  EXPECT_GE(distance, (40_ms).count());
  EXPECT_LE(distance, (60_ms).count());
}

TEST(AlignJobs, JobsThatShareLinksOnlyThroughOthersAreInOneGroup) {
  const PlacedProfile a = burst(60_ms, 30_ms, {0}, 50_Gbps);
  const PlacedProfile b = burst(60_ms, 30_ms, {0, 1}, 50_Gbps);
  const PlacedProfile c = burst(60_ms, 30_ms, {1}, 50_Gbps);
  const PlacedProfile d = burst(60_ms, 30_ms, {2}, 50_Gbps);
  JobAligner aligner(kLinks, {});
  const std::vector<const PlacedProfile*> jobs = {&a, &d, &b, &c};
  const Aligned found = aligner.align(jobs);
  ASSERT_EQ(found.groups.size(), 1U);
  EXPECT_EQ(found.groups.front().jobs, (std::vector<int>{0, 2, 3}));
  EXPECT_EQ(found.groups.front().links, 2);
  EXPECT_TRUE(found.groups.front().apart);
}

TEST(AlignJobs, NearlyEqualPeriodsArePaddedIfThatHelps) {
  const PlacedProfile a = burst(60_ms, 40_ms, {0}, 50_Gbps);
  const PlacedProfile b = burst(62_ms, 40_ms, {0}, 50_Gbps);
  const std::vector<const PlacedProfile*> jobs = {&a, &b};
  JobAligner aligner(kLinks, {});
  const AlignedGroup padded = aligner.align(jobs).groups.front();
  EXPECT_TRUE(padded.apart);
  EXPECT_EQ(padded.periods, (std::vector<Duration>{102_ms, 102_ms}));
  JobAligner without(kLinks, {.padding = 0.01});
  EXPECT_FALSE(without.align(jobs).groups.front().apart);
}

TEST(AlignJobs, PaddedPeriodsAreMultiplesOfACommonPeriodAndNeverShorter) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    std::vector<Duration> given;
    for (std::uint32_t j = 0; j < 2 + random(3); ++j) given.emplace_back(50 + random(200));
    const std::vector<Duration> padded = padded_periods(given, 0.05);
    if (padded == given) continue;
    std::int64_t common = 0;
    for (std::size_t j = 0; j < given.size(); ++j) {
      EXPECT_GE(padded[j], given[j]);
      EXPECT_LE(static_cast<double>(padded[j].count()),
                1.05 * static_cast<double>(given[j].count()));
      common = std::gcd(common, padded[j].count());
    }
    for (const Duration it : padded) EXPECT_LE(it.count() / common, 24);
  }
}

}  // namespace
}  // namespace loom::jobs
