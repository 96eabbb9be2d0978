#include "loom/jobs/profile/profile_stages.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"

namespace loom::jobs {
namespace {

double bits_of(const std::vector<ProfileStage>& stages, int link) {
  double bits = 0;
  for (const ProfileStage& stage : stages) {
    for (const LinkRate& it : stage.rates) {
      if (it.link != link) continue;
      bits += static_cast<double>(it.rate.bits_per_second) * seconds(stage.length);
    }
  }
  return bits;
}

TEST(ProfileStages, ComputingAndSendingKeepTheirEdges) {
  const std::vector<LoadChange> changes = {{TimePoint(10_ms), 3, 40_Gbps},
                                           {TimePoint(25_ms), 3, 0_Gbps},
                                           {TimePoint(30_ms), 5, 10_Gbps},
                                           {TimePoint(40_ms), 5, 0_Gbps}};
  const std::vector<ProfileStage> stages =
      profile_stages(changes, TimePoint(0_ms), TimePoint(50_ms));
  ASSERT_EQ(stages.size(), 5U);
  EXPECT_EQ(stages[0].length, 10_ms);
  EXPECT_EQ(stages[1].length, 15_ms);
  ASSERT_EQ(stages[1].rates.size(), 1U);
  EXPECT_EQ(stages[1].rates[0].link, 3);
  EXPECT_EQ(stages[1].rates[0].rate, 40_Gbps);
  EXPECT_TRUE(stages[2].rates.empty());
  EXPECT_EQ(stages[3].rates[0].link, 5);
  EXPECT_EQ(stages[4].length, 10_ms);
}

TEST(ProfileStages, LoadAlreadyPresentWhenTheWindowBeginsCounts) {
  const std::vector<ProfileStage> stages =
      profile_stages({{TimePoint(1_ms), 0, 8_Gbps}, {TimePoint(6_ms), 0, 0_Gbps}}, TimePoint(4_ms),
                     TimePoint(8_ms));
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(stages[0].length, 2_ms);
  EXPECT_EQ(stages[0].rates[0].rate, 8_Gbps);
}

TEST(ProfileStages, ManyShortPausesBecomeOneStageWithTheSameBytes) {
  std::vector<LoadChange> changes;
  for (int step = 0; step < 1000; ++step) {
    changes.push_back({TimePoint(20_ms + step * 30_us), 0, 50_Gbps});
    changes.push_back({TimePoint(20_ms + step * 30_us + 29_us), 0, 0_Gbps});
  }
  const std::vector<ProfileStage> stages =
      profile_stages(changes, TimePoint(0_ms), TimePoint(100_ms));
  ASSERT_LE(stages.size(), 3U);
  EXPECT_NEAR(bits_of(stages, 0), 1000 * 50e9 * 29e-6, 1e3);
}

TEST(ProfileStages, MergingPreservesBytesAndLength) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    std::vector<LoadChange> changes;
    TimePoint now;
    std::vector<double> bits(3, 0);
    std::vector<Bandwidth> load(3);
    for (int i = 0; i < 400; ++i) {
      const TimePoint next = now + Duration(1 + static_cast<std::int64_t>(random(1'000'000'000)));
      for (std::size_t l = 0; l < 3; ++l) {
        bits[l] += static_cast<double>(load[l].bits_per_second) * seconds(next - now);
      }
      now = next;
      const auto link = static_cast<std::size_t>(random(3));
      load[link] = {static_cast<std::int64_t>(random(5)) * 10'000'000'000};
      changes.push_back({now, static_cast<int>(link), load[link]});
    }
    const std::vector<ProfileStage> stages = profile_stages(changes, TimePoint(), now);
    EXPECT_LE(stages.size(), StageOptions().max_stages);
    Duration length{0};
    for (const ProfileStage& it : stages) length += it.length;
    EXPECT_EQ(length, elapsed(now));
    for (int l = 0; l < 3; ++l) {
      EXPECT_NEAR(bits_of(stages, l) / bits[static_cast<std::size_t>(l)], 1, 1e-6);
    }
  }
}

}  // namespace
}  // namespace loom::jobs
