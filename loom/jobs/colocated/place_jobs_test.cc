#include "loom/jobs/colocated/place_jobs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "loom/base/random.h"

namespace loom::jobs {
namespace {

using Placed = std::vector<std::vector<int>>;

TEST(PlaceJobs, PackedJobsGetConsecutiveDevices) {
  const std::vector<int> sizes = {2, 3, 1};
  EXPECT_EQ(place_jobs(sizes, 8, JobPlacement::packed, 1), (Placed{{0, 1}, {2, 3, 4}, {5}}));
}

TEST(PlaceJobs, SpreadJobsOfOneSizeGetDevicesRoundRobin) {
  const std::vector<int> sizes = {2, 2, 2};
  EXPECT_EQ(place_jobs(sizes, 6, JobPlacement::spread, 1), (Placed{{0, 3}, {1, 4}, {2, 5}}));
  EXPECT_EQ(place_jobs(sizes, 12, JobPlacement::spread, 1), (Placed{{0, 6}, {2, 8}, {4, 10}}));
}

TEST(PlaceJobs, RandomPlacementFollowsFromTheSeed) {
  const std::vector<int> sizes = {16, 16, 16};
  const Placed one = place_jobs(sizes, 64, JobPlacement::random, 1);
  EXPECT_EQ(place_jobs(sizes, 64, JobPlacement::random, 1), one);
  EXPECT_NE(place_jobs(sizes, 64, JobPlacement::random, 2), one);
}

TEST(PlaceJobs, EveryJobHasItsDevicesInOrderAndNoneTwice) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random = random_stream(seed);
    std::vector<int> sizes(1 + random(8));
    for (int& it : sizes) it = static_cast<int>(1 + random(9));
    const int devices =
        std::accumulate(sizes.begin(), sizes.end(), 0) + static_cast<int>(random(10));
    for (const auto placement :
         {JobPlacement::packed, JobPlacement::random, JobPlacement::spread}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", placement "
                                        << kJobPlacementNames[static_cast<std::size_t>(placement)]);
      const Placed placed = place_jobs(sizes, devices, placement, seed);
      ASSERT_EQ(placed.size(), sizes.size());
      std::set<int> taken;
      for (std::size_t j = 0; j < sizes.size(); ++j) {
        EXPECT_EQ(placed[j].size(), static_cast<std::size_t>(sizes[j]));
        EXPECT_TRUE(std::is_sorted(placed[j].begin(), placed[j].end()));
        for (const int device : placed[j]) {
          EXPECT_TRUE(device >= 0 && device < devices);
          EXPECT_TRUE(taken.insert(device).second) << device;
        }
      }
    }
  }
}

// Adjacent devices of a job are about cluster size / job size apart.
TEST(PlaceJobs, SpreadJobsAreEvenlySpaced) {
  const std::vector<int> sizes = {4, 8, 4, 16};
  const Placed placed = place_jobs(sizes, 64, JobPlacement::spread, 1);
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (int r = 1; r < sizes[j]; ++r) {
      const int gap =
          placed[j][static_cast<std::size_t>(r)] - placed[j][static_cast<std::size_t>(r) - 1];
      EXPECT_NEAR(gap, 64.0 / sizes[j], 8) << "job " << j << ", rank " << r;
    }
  }
}

}  // namespace
}  // namespace loom::jobs
