// Jobs that start and leave at any time.
#include "loom/jobs/contention/periodic_jobs.h"

#include <gtest/gtest.h>

#include "loom/jobs/contention/periodic_testing.h"
#include "loom/jobs/contention/transports/transports.h"

namespace loom::jobs {
namespace {

PeriodicJob job_of(const JobProfile& profile, Duration start = 0_ms, std::int64_t iterations = 0) {
  return {.profile = profile, .start = start, .iterations = iterations};
}

TEST(PeriodicJobs, AdvanceStopsWhenAJobLeaves) {
  PeriodicJobs jobs({{"link", 50_Gbps}}, {});
  const int a = jobs.start(job_of(sender_of("a", 10_ms, 10_ms), 0_ms, 3));
  const int b = jobs.start(job_of(sender_of("b", 10_ms, 10_ms), 10_ms));
  EXPECT_EQ(jobs.advance(1000_ms), 60_ms);
  EXPECT_EQ(std::vector<int>(jobs.left().begin(), jobs.left().end()), std::vector<int>{a});
  EXPECT_FALSE(jobs.running(a));
  EXPECT_TRUE(jobs.running(b));
  EXPECT_EQ(jobs.take_iterations().size(), 5);
  EXPECT_EQ(jobs.advance(100_ms), 100_ms);
  EXPECT_EQ(jobs.iterations_done(b), 4);
}

TEST(PeriodicJobs, AnArrivingJobSharesAndALeavingJobFreesItsShare) {
  PeriodicJobs jobs({{"link", 50_Gbps}}, {});
  const int a = jobs.start(job_of(sender_of("a", 100_ms, 10_ms)));
  jobs.advance(20_ms);
  EXPECT_DOUBLE_EQ(jobs.bandwidth(a), 50e9);
  const int b = jobs.start(job_of(sender_of("b", 100_ms, 10_ms), 20_ms));
  EXPECT_DOUBLE_EQ(jobs.bandwidth(a), 25e9);
  jobs.advance(60_ms);
  jobs.stop(b);
  EXPECT_DOUBLE_EQ(jobs.bandwidth(a), 50e9);
  EXPECT_DOUBLE_EQ(jobs.bandwidth(b), 0);
  jobs.advance(200_ms);
  const auto ends = jobs.take_iterations();
  ASSERT_EQ(ends.size(), 1);
  EXPECT_EQ(ends[0], (IterationEnd{a, 0, 0_ms, 130_ms}));
}

TEST(PeriodicJobs, ADelayMovesTheNextIterationOnly) {
  PeriodicJobs jobs({{"link", 50_Gbps}}, {});
  const int a = jobs.start(job_of(sender_of("a", 10_ms, 10_ms)));
  jobs.advance(5_ms);
  jobs.delay(a, 7_ms);
  jobs.advance(67_ms);
  const auto ends = jobs.take_iterations();
  ASSERT_EQ(ends.size(), 3);
  EXPECT_EQ(ends[0].end, 20_ms);
  EXPECT_EQ(ends[1], (IterationEnd{a, 1, 27_ms, 47_ms}));
  EXPECT_EQ(ends[2], (IterationEnd{a, 2, 47_ms, 67_ms}));
}

TEST(PeriodicJobs, ADelayBeforeTheStartPostponesIt) {
  PeriodicJobs jobs({{"link", 50_Gbps}}, {});
  const int a = jobs.start(job_of(sender_of("a", 10_ms, 10_ms), 10_ms));
  jobs.advance(5_ms);
  jobs.delay(a, 7_ms);
  jobs.advance(37_ms);
  EXPECT_EQ(jobs.take_iterations(), (std::vector<IterationEnd>{{a, 0, 17_ms, 37_ms}}));
}

TEST(PeriodicJobs, AlignmentCanBeSetLater) {
  PeriodicJobs jobs({{"link", 50_Gbps}}, {});
  const int a = jobs.start(job_of(sender_of("a", 10_ms, 10_ms)));
  jobs.align(a, 5_ms, {.period = 30_ms});
  jobs.advance(95_ms);
  const auto ends = jobs.take_iterations();
  ASSERT_EQ(ends.size(), 3);
  EXPECT_EQ(ends[1].start, 35_ms);
  EXPECT_EQ(ends[2].start, 65_ms);
  EXPECT_EQ(jobs.realignments(a), 3);
}

// The result does not depend on how calls to advance() divide the time.
TEST(PeriodicJobs, IntermediateStopsChangeNothing) {
  for (const Transport* kind : {&kFair, &kMltcp}) {
    const auto run = [&](Duration step) {
      Random random = random_stream(11);
      const SharedProfiles profiles = random_profiles(random);
      PeriodicJobs jobs(profiles.links, {.kind = kind});
      for (const JobProfile& it : profiles.jobs) jobs.start(job_of(it));
      for (Duration at{0}; at < 500_ms; at += step) {
        jobs.advance(at);
        jobs.use(0);
      }
      jobs.advance(500_ms);
      return jobs.take_iterations();
    };
    EXPECT_EQ(run(500_ms), run(3_ms));
  }
}

TEST(PeriodicJobs, NothingHappensWithoutJobs) {
  PeriodicJobs jobs({{"link", 50_Gbps}}, {});
  EXPECT_EQ(jobs.next_event(), kForever);
  EXPECT_EQ(jobs.advance(5_ms), 5_ms);
  EXPECT_EQ(jobs.use(0).bytes, 0);
}

}  // namespace
}  // namespace loom::jobs
