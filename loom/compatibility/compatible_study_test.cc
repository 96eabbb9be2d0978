#include "loom/compatibility/compatible_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "loom/jobs/cassini/time_shifts_testing.h"

namespace loom::compatibility {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

CompatibleResult compared(std::vector<jobs::JobProfile> jobs) {
  return compatible({on_links(1, std::move(jobs)), {}}, {});
}

TEST(Compatible, IncommensuratePeriodsAreNotCompatibleForLong) {
  const CompatibleResult result =
      compared({jobs::burst_job(100, 30), jobs::burst_job(103, 30), jobs::burst_job(107, 30)});
  EXPECT_GT(result.best.rounding, 0);
  EXPECT_LT(result.best.rounding, 0.02);
  EXPECT_NEAR(*result.drifting, 0.7713, 1e-4);
  EXPECT_NEAR(*result.drifting_before, 0.7713, 1e-4);
  EXPECT_THAT(compatible_text(result), HasSubstr("not compatible for long"));
  const nlohmann::ordered_json json = compatible_json(result);
  EXPECT_FALSE(json["proved"]);
  EXPECT_EQ(json["score_with_given_periods"], *result.drifting);
  // All periods as long as the longest, and no contention.
  ASSERT_FALSE(result.padding.empty());
  EXPECT_EQ(result.padding.back().padded.periods, std::vector<Duration>(3, 107_ms));
  EXPECT_NEAR(result.padding.back().slowdown, (107.0 / 100 + 107.0 / 103 + 1) / 3, 1e-6);
}

TEST(Compatible, NearlyEqualPeriodsStayCompatible) {
  jobs::JobProfile other = jobs::burst_job(100, 30);
  other.stages.front().length += 10_us;  // off by 5 % after 500 iterations
  const CompatibleResult result =
      compatible({jobs::on_links(1, {jobs::burst_job(100, 30), other}), {}}, {});
  EXPECT_GT(result.best.rounding, 0);
  EXPECT_THAT(compatible_text(result),
              HasSubstr("compatible with rounded periods: demand never exceeds"));
}

TEST(Compatible, SuggestedPaddingShortensIterations) {
  const CompatibleResult result = compared({jobs::burst_job(96, 80), jobs::burst_job(100, 80)});
  double lowest = 0;
  for (std::size_t j = 0; j < result.isolated.size(); ++j) {
    lowest += static_cast<double>(result.times_after[j].count()) /
              static_cast<double>(result.isolated[j].count()) / 2;
  }
  for (const WorthyPadding& it : result.padding) {
    EXPECT_LT(it.slowdown, lowest) << it.padded.idle;
    lowest = it.slowdown;
  }
}

TEST(Compatible, TheCircleOfASingleJobIsDrawnToo) {
  const CompatibleResult result = compared({jobs::burst_job(100, 30)});
  const report::CirclePicture picture = picture_of(result, "one");
  EXPECT_EQ(links_to_draw(picture, 6), std::vector<int>{0});
  EXPECT_THAT(circles_svg(picture, links_to_draw(picture, 6)), StartsWith("<svg"));
}

}  // namespace
}  // namespace loom::compatibility
