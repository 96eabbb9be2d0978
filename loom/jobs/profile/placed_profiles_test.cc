#include "loom/jobs/profile/placed_profiles.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/jobs/colocated/testing.h"
#include "loom/jobs/scheduler/scheduling_testing.h"

namespace loom::jobs {
namespace {

JobKind model_kind(int kind) {
  JobKind made;
  made.name = "small";
  made.spec = [kind](int) {
    plan::JobSpec spec = small_job(kind);
    spec.choice.tensor = spec.choice.pipeline = 1;
    return spec;
  };
  return made;
}

Bandwidth peak_on(const PlacedProfile& placed, const std::vector<SharedLink>& links,
                  const std::string& name) {
  Bandwidth peak;
  for (const ProfileStage& stage : placed.profile.stages) {
    for (const LinkRate& it : stage.rates) {
      if (links[static_cast<std::size_t>(it.link)].name == name) peak = std::max(peak, it.rate);
    }
  }
  return peak;
}

TEST(PlacedProfiles, AMeasuredRingLoadsTheUplinksItCrosses) {
  const SharedNetwork cluster(fabric::fabric_of(kTwoTiers, 6));
  const std::vector<JobKind> kinds = {ring_kind({{60_ms, {}}, {40_ms, 50_Gbps}})};
  PlacedProfiles profiles(cluster, kinds);
  const PlacedProfile& inside = profiles.of(0, std::vector{2, 3});
  EXPECT_EQ(inside.period, 100_ms);
  EXPECT_TRUE(inside.profile.stages[1].rates.empty());
  const PlacedProfile& across = profiles.of(0, std::vector{1, 2, 3});
  EXPECT_EQ(across.period, 100_ms);
  EXPECT_EQ(peak_on(across, profiles.links(), "leaf0->spine0"), 50_Gbps);
  EXPECT_EQ(peak_on(across, profiles.links(), "leaf1->spine0"), 50_Gbps);
  EXPECT_EQ(peak_on(across, profiles.links(), "leaf2->spine0"), 0_Gbps);
}

TEST(PlacedProfiles, ARingThatExceedsALinksCapacityTakesLonger) {
  const SharedNetwork cluster(fabric::fabric_of(kTwoTiers, 6));
  const std::vector<JobKind> kinds = {ring_kind({{60_ms, {}}, {40_ms, 50_Gbps}})};
  PlacedProfiles profiles(cluster, kinds);
  const PlacedProfile& twice =
      profiles.of(0, std::vector{0, 2, 1, 3});  // two flows up from each rack
  EXPECT_EQ(twice.period, 140_ms);
  EXPECT_EQ(peak_on(twice, profiles.links(), "leaf0->spine0"), 50_Gbps);
}

TEST(PlacedProfiles, EquivalentPlacementsHaveTheSameProfileOnOtherLinks) {
  const SharedNetwork cluster(fabric::fabric_of(kTwoTiers, 8));
  const std::vector<JobKind> kinds = {model_kind(1)};
  PlacedProfiles profiles(cluster, kinds);
  const PlacedProfile& a = profiles.of(0, std::vector{0, 1, 2});
  const PlacedProfile& b = profiles.of(0, std::vector{4, 5, 7});
  ASSERT_EQ(why(a.infeasible), "no objection");
  EXPECT_EQ(a.period, b.period);
  ASSERT_EQ(a.profile.stages.size(), b.profile.stages.size());
  EXPECT_GT(peak_on(a, profiles.links(), "leaf0->spine0").bits_per_second, 0);
  EXPECT_EQ(peak_on(a, profiles.links(), "leaf0->spine0"),
            peak_on(b, profiles.links(), "leaf2->spine0"));
  EXPECT_EQ(peak_on(b, profiles.links(), "leaf0->spine0"), 0_Gbps);
}

TEST(PlacedProfiles, AnIsolatedProfileMatchesAnIsolatedJobInACluster) {
  for (int kind = 0; kind < 2; ++kind) {
    const SharedNetwork cluster(fabric::fabric_of(kTwoTiers, 6));
    const std::vector<JobKind> kinds = {model_kind(kind)};
    PlacedProfiles profiles(cluster, kinds);
    const PlacedProfile& placed = profiles.of(0, std::vector{0, 1, 2, 3});
    JobRequest request{"one", kinds[0].spec(4), 0, {0, 1, 2, 3}, Duration(0)};
    const RunJobs run = run_jobs({request}, cluster, {.iterations = 3});
    ASSERT_FALSE(run.times.empty());
    EXPECT_EQ(placed.period, run.times[0].back());
    EXPECT_EQ(placed.period, placed.profile.period());
    EXPECT_GT(placed.computing, 0);
    EXPECT_LE(placed.computing, 1);
  }
}

TEST(PlacedProfiles, AJobThatFitsNowhereStatesTheReason) {
  const SharedNetwork cluster(fabric::fabric_of(kTwoTiers, 6));
  JobKind large = model_kind(0);
  const auto spec = large.spec;
  large.spec = [spec](int devices) {
    plan::JobSpec made = spec(devices);
    made.accelerator.memory = 1_KB;
    return made;
  };
  const std::vector<JobKind> kinds = {large};
  PlacedProfiles profiles(cluster, kinds);
  EXPECT_EQ(why(profiles.packed(0, 2).infeasible),
            "small on 2 devices: no strategy fits in the memory of the devices");
}

}  // namespace
}  // namespace loom::jobs
