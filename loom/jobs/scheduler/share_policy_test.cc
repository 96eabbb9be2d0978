#include "loom/jobs/scheduler/share_policy.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "loom/base/random.h"

namespace loom::jobs {
namespace {

ActiveJob job(int wanted, int holds = 0, double ideal = 100, double left = 100) {
  ActiveJob it;
  it.wanted = wanted;
  it.holds = holds;
  it.ideal = ideal;
  it.left = left;
  return it;
}

TEST(SharePolicy, InOrderAJobThatFindsTooFewDevicesBlocksThoseBehind) {
  EXPECT_EQ(shares_in_order(std::vector{job(4, 4), job(3), job(2), job(1)}, 8),
            (std::vector<int>{4, 3, 0, 0}));
  EXPECT_EQ(shares_in_order(std::vector{job(4, 4), job(5), job(1)}, 8),
            (std::vector<int>{4, 0, 0}));
}

TEST(SharePolicy, FinishTimeFairnessIsSharedTimeOverIsolatedTime) {
  ActiveJob it = job(2, 2, 100, 40);
  it.arrival = Duration(1'000'000'000'000);  // 1 s
  EXPECT_DOUBLE_EQ(finish_time_fairness(it, Duration(111'000'000'000'000)), 1.5);
}

TEST(SharePolicy, FairlyTheWorstOffJobComesFirstOnceLeasesEnd) {
  std::vector<ActiveJob> jobs = {job(6, 6, 1000, 500), job(4, 0, 10, 10)};
  const Duration now(600'000'000'000'000);  // 600 s: 1.1 and 61
  EXPECT_EQ(shares_fairly(jobs, 8, now, true), (std::vector<int>{6, 0}));
  EXPECT_EQ(shares_fairly(jobs, 8, now, false), (std::vector<int>{0, 4}));
}

TEST(SharePolicy, GoodputEqualsExhaustiveSearch) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const int devices = 1 + static_cast<int>(random(7));
    std::vector<ActiveJob> jobs(1 + random(4));
    for (ActiveJob& it : jobs) {
      it.wanted = 1 + static_cast<int>(random(3));
      double goodput = 0;
      for (std::uint32_t n = 0; n < 1 + random(6); ++n) {
        goodput += random(100) / 100.0;
        it.goodput.push_back(random(8) == 0 ? 0 : goodput);
      }
      if (it.goodput.back() <= 0) it.goodput.back() = 1;
      it.holds = static_cast<int>(random(3));
      it.changes = static_cast<int>(random(3));
    }
    const Duration now(300'000'000'000'000);
    const Duration restart(30'000'000'000'000);
    double lowest = 1e300;
    std::vector<int> shares(jobs.size(), 0);
    const std::function<void(std::size_t, int)> all = [&](std::size_t j, int left) {
      if (j == jobs.size()) {
        lowest = std::min(lowest, slowness(jobs, shares, devices, now, restart));
        return;
      }
      for (int n = 0; n <= std::min(left, static_cast<int>(jobs[j].goodput.size())); ++n) {
        shares[j] = n;
        all(j + 1, left - n);
      }
      shares[j] = 0;
    };
    all(0, devices);
    const std::vector<int> found = shares_for_goodput(jobs, devices, now, restart);
    EXPECT_LE(std::accumulate(found.begin(), found.end(), 0), devices);
    EXPECT_NEAR(slowness(jobs, found, devices, now, restart), lowest, 1e-9 * lowest);
  }
}

TEST(SharePolicy, SharesNeverExceedTheCluster) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    std::vector<ActiveJob> jobs;
    int left = 24;
    for (int i = 0; i < 12; ++i) {
      const int wanted = 1 + static_cast<int>(random(12));
      const bool holds = wanted <= left && random(2) == 0;
      if (holds) left -= wanted;
      jobs.push_back(job(wanted, holds ? wanted : 0, 1 + random(1000), 1 + random(1000)));
      jobs.back().goodput = {1, 1.5, 1.8};
    }
    const Duration now(1'000'000'000'000'000);
    for (const std::vector<int>& shares :
         {shares_in_order(jobs, 24), shares_fairly(jobs, 24, now, true),
          shares_fairly(jobs, 24, now, false), shares_for_goodput(jobs, 24, now, Duration(0))}) {
      EXPECT_LE(std::accumulate(shares.begin(), shares.end(), 0), 24);
    }
  }
}

}  // namespace
}  // namespace loom::jobs
