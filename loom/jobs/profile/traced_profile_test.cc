#include "loom/jobs/profile/traced_profile.h"

#include <gtest/gtest.h>

#include "loom/jobs/colocated/testing.h"
#include "loom/jobs/profile/profile_stages.h"

namespace loom::jobs {
namespace {

double bytes_on(const JobProfile& job, int link) {
  double bits = 0;
  for (const ProfileStage& stage : job.stages) {
    for (const LinkRate& it : stage.rates) {
      if (it.link == link) {
        bits += static_cast<double>(it.rate.bits_per_second) * seconds(stage.length);
      }
    }
  }
  return bits / 8;
}

TEST(TracedProfile, HasThePeriodAndTheBytesOfAnIsolatedIteration) {
  const SharedNetwork cluster(
      fabric::fabric_of("kind: leaf_spine, gpus_per_leaf: 2, spines: 1, bandwidth: 25 Gbps", 8));
  JobPlanOptions options;
  options.iterations = 4;
  options.keep_running = false;
  const std::vector<PlannedJob> jobs =
      plan_jobs({request_of(0, {0, 2, 4, 6}), request_of(1, {1, 3, 5, 7})}, cluster, options);
  const auto network = cluster.together(mapped_jobs(jobs));
  const SharedProfiles profiles = traced_profiles(jobs, *network, {}, 1);
  ASSERT_EQ(profiles.jobs.size(), 2U);
  ASSERT_FALSE(profiles.links.empty());
  const std::vector<std::vector<Duration>> isolated = isolated_times(jobs, {}, 1);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    EXPECT_EQ(profiles.jobs[j].period(), isolated[j].back()) << j;
    EXPECT_LE(profiles.jobs[j].stages.size(), StageOptions().max_stages);
  }
  // Every iteration sends the same bytes over a link.
  for (std::size_t l = 0; l < profiles.links.size(); ++l) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      const std::vector<JobAt> at = {{&jobs[j].plan->mapped.lowered, jobs[j].devices, Duration(0)}};
      const simulate::Outcome outcome =
          simulate::simulate_fluid(merge_jobs(at, network->devices).workload, *network, {}, {});
      double carried = 0;
      for (std::size_t n = 0; n < network->links.size(); ++n) {
        if (network->link_name(LinkId(n)) == profiles.links[l].name) {
          carried = static_cast<double>(outcome.link_bytes[n].count) / 4;
        }
      }
      EXPECT_NEAR(bytes_on(profiles.jobs[j], static_cast<int>(l)), carried, carried * 0.01)
          << profiles.links[l].name << " " << j;
    }
  }
}

}  // namespace
}  // namespace loom::jobs
