#include "loom/jobs/contention/iteration_times.h"

#include <gtest/gtest.h>

namespace loom::jobs {
namespace {

std::vector<Duration> durations(const std::vector<int>& counts) {
  std::vector<Duration> all;
  for (const int it : counts) all.emplace_back(it);
  return all;
}

std::vector<TimePoint> ends(const std::vector<int>& counts) {
  std::vector<TimePoint> all;
  for (const int it : counts) all.emplace_back(Duration(it));
  return all;
}

place::LoweredJob job_of(const std::vector<int>& iteration_of_operation, int iterations) {
  place::LoweredJob job;
  job.iterations = iterations;
  for (const int it : iteration_of_operation) {
    place::OperationTag tag;
    tag.iteration = static_cast<std::int16_t>(it);
    job.tags.push_back(tag);
  }
  return job;
}

TEST(IterationTimes, AreMeasuredFromTheStartAndThenFromEndToEnd) {
  const place::LoweredJob job = job_of({0, 0, 1, 1, 2}, 3);
  EXPECT_EQ(iteration_times(job, ends({7, 10, 12, 15, 30}), TimePoint(Duration(2))),
            durations({8, 5, 15}));
}

TEST(IterationTimes, ASingleIterationCountsFromTheStart) {
  EXPECT_EQ(iteration_times(job_of({0, 0}, 1), ends({7, 10}), TimePoint(Duration(2))),
            durations({8}));
}

TEST(IterationTimes, PercentilesAreTimesThatOccurred) {
  EXPECT_EQ(spread_of(durations({4, 1, 3, 2})),
            (TimeSpread{Duration(2), Duration(2), Duration(4), Duration(4)}));
  std::vector<int> hundred;
  for (int i = 100; i >= 1; --i) hundred.push_back(i);
  EXPECT_EQ(spread_of(durations(hundred)),
            (TimeSpread{Duration(50), Duration(50), Duration(99), Duration(100)}));
}

TEST(IterationTimes, EveryJobHasTheSameWeight) {
  // The 99 short iterations of one job weigh as much as the single long one of the other.
  const std::vector<std::vector<Duration>> jobs = {std::vector<Duration>(99, Duration(10)),
                                                   durations({1000})};
  EXPECT_EQ(spread_of(jobs),
            (TimeSpread{Duration(505), Duration(10), Duration(1000), Duration(1000)}));
}

}  // namespace
}  // namespace loom::jobs
