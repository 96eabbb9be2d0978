#include "loom/jobs/scheduler/arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace loom::jobs {
namespace {

std::vector<JobKind> three_kinds() {
  std::vector<JobKind> kinds(3);
  kinds[0].name = "a";
  kinds[1].name = "b";
  kinds[2].name = "c";
  return kinds;
}

Arrivals some(std::int64_t jobs) {
  Arrivals arrivals;
  arrivals.jobs = jobs;
  arrivals.weights = {1, 2, 1};
  arrivals.devices = {{}, 1, 12};
  arrivals.iterations = {{200, 1000}, 1, 1};
  return arrivals;
}

TEST(Arrivals, GapsAreExponentialWithTheGivenMean) {
  Arrivals arrivals = some(20'000);
  arrivals.every = std::chrono::seconds(10);
  const std::vector<TraceJob> jobs = poisson_jobs(arrivals, three_kinds(), 24, nullptr);
  double sum = 0;
  double squares = 0;
  for (std::size_t j = 1; j < jobs.size(); ++j) {
    const double gap = seconds(jobs[j].arrival - jobs[j - 1].arrival);
    EXPECT_GE(gap, 0);
    sum += gap;
    squares += gap * gap;
  }
  const auto count = static_cast<double>(jobs.size() - 1);
  EXPECT_NEAR(sum / count, 10, 0.3);
  EXPECT_NEAR(squares / count, 200, 15);  // twice the square of the mean
}

TEST(Arrivals, KindsSizesAndLengthsHaveTheGivenFrequencies) {
  Arrivals arrivals = some(24'000);
  arrivals.every = std::chrono::seconds(1);
  std::map<int, int> kinds;
  std::map<int, int> devices;
  std::map<std::int64_t, int> iterations;
  for (const TraceJob& it : poisson_jobs(arrivals, three_kinds(), 24, nullptr)) {
    ++kinds[it.kind];
    ++devices[it.devices];
    ++iterations[it.iterations];
  }
  EXPECT_NEAR(kinds[1], 12'000, 400);
  EXPECT_EQ(devices.size(), 12U);
  EXPECT_NEAR(devices[12], 2'000, 200);
  EXPECT_EQ(iterations.size(), 2U);
}

TEST(Arrivals, LoadIsTheDeviceTimeOfAllJobsOverThatOfTheCluster) {
  Arrivals arrivals = some(5'000);
  arrivals.load = 0.8;
  const auto period = [](int kind, int devices) {
    return std::chrono::milliseconds(100 * (kind + 1) + devices);
  };
  const std::vector<TraceJob> jobs = poisson_jobs(arrivals, three_kinds(), 24, period);
  double asked = 0;
  for (const TraceJob& it : jobs) {
    asked += seconds(period(it.kind, it.devices)) * static_cast<double>(it.iterations) * it.devices;
  }
  EXPECT_NEAR(asked / (24 * seconds(jobs.back().arrival)), 0.8, 0.05);
}

TEST(Arrivals, JobNamesAreUniqueEvenIfTwoKindsShareAName) {
  Arrivals arrivals = some(100);
  arrivals.every = std::chrono::seconds(1);
  std::vector<JobKind> kinds = three_kinds();
  kinds[2].name = "a";
  std::set<std::string> names;
  for (const TraceJob& it : poisson_jobs(arrivals, kinds, 24, nullptr)) names.insert(it.name);
  EXPECT_EQ(names.size(), 100U);
  EXPECT_TRUE(names.contains("a/1"));
}

TEST(Arrivals, MaxDevicesIsAMultipleOfTheRequestedDevices) {
  Arrivals arrivals = some(20);
  arrivals.every = std::chrono::seconds(1);
  for (const double times : {1.0, 2.0, 1e12}) {
    arrivals.max_devices = times;
    for (const TraceJob& it : poisson_jobs(arrivals, three_kinds(), 24, nullptr)) {
      EXPECT_EQ(it.max_devices, std::min(times * it.devices, 65536.0));
    }
  }
}

TEST(Arrivals, TheSameSeedGivesTheSameTrace) {
  Arrivals arrivals = some(100);
  arrivals.every = std::chrono::seconds(1);
  const auto a = poisson_jobs(arrivals, three_kinds(), 24, nullptr);
  const auto b = poisson_jobs(arrivals, three_kinds(), 24, nullptr);
  arrivals.seed = 2;
  const auto c = poisson_jobs(arrivals, three_kinds(), 24, nullptr);
  EXPECT_EQ(a.back().arrival, b.back().arrival);
  EXPECT_EQ(a.back().name, b.back().name);
  EXPECT_NE(a.back().arrival, c.back().arrival);
}

}  // namespace
}  // namespace loom::jobs
