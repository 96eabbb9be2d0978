#include "loom/jobs/scheduler/scheduling_simulation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loom/jobs/cassini/align_jobs.h"
#include "loom/jobs/scheduler/arrivals.h"
#include "loom/jobs/scheduler/scheduling_testing.h"

namespace loom::jobs {
namespace {

constexpr Duration operator""_s(unsigned long long n) { return std::chrono::seconds(n); }

// Sends at full rate for 40 % of its period.
const JobKind kHalf = ring_kind({{60_ms, {}}, {40_ms, 50_Gbps}});
const JobKind kComputes = ring_kind({{100_ms, {}}});

TEST(SchedulingSimulation, AnIsolatedJobTakesItsIterationsTimesThePeriod) {
  const SchedulingResult run = scheduling_of(kTwoTiers, 6, {{kHalf}, {trace_job(0, 3, 5_s, 100)}});
  ASSERT_EQ(run.jobs.size(), 1U);
  EXPECT_EQ(run.jobs[0].start, 5_s);
  EXPECT_EQ(run.jobs[0].end, 15_s);
  EXPECT_EQ(run.jobs[0].iterations, 100);
  EXPECT_EQ(run.jobs[0].queued, 0_s);
  EXPECT_EQ(run.jobs[0].ideal, 10_s);
  EXPECT_EQ(run.times.mean(), 100_ms);
  EXPECT_NEAR(run.held, 0.5, 1e-9);
  EXPECT_NEAR(run.computing, 0.3, 1e-9);
  EXPECT_EQ(run.excess_bytes, 0);
}

TEST(SchedulingSimulation, JobsThatShareNoLinkFinishAsInIsolation) {
  const ClusterTrace trace = {
      {kHalf}, {trace_job(0, 2, 0_s, 50), trace_job(0, 2, 0_s, 70), trace_job(0, 2, 1_s, 20)}};
  for (const bool cassini : {false, true}) {
    const SchedulingResult run = scheduling_of(kTwoTiers, 6, trace, {.cassini = cassini});
    EXPECT_EQ(run.jobs[0].end, 5_s);
    EXPECT_EQ(run.jobs[1].end, 7_s);
    EXPECT_EQ(run.jobs[2].end, 3_s);
  }
}

// Three racks of two: each job fills one rack and shares the uplink of the middle one.
const ClusterTrace kContending = {{kHalf}, {trace_job(0, 3, 0_s, 100), trace_job(0, 3, 0_s, 100)}};

TEST(SchedulingSimulation, JobsThatSendTogetherOnALinkTakeTwiceAsLongToSend) {
  const SchedulingResult run = scheduling_of(kTwoTiers, 6, kContending);
  EXPECT_NEAR(seconds(run.jobs[0].end), 14, 1e-6);  // 60 + 2 · 40 ms an iteration
  EXPECT_NEAR(seconds(run.jobs[1].end), 14, 1e-6);
  EXPECT_GT(run.excess_bytes, 0);
}

TEST(SchedulingSimulation, CassiniShiftsContendingJobsApartOnce) {
  const SchedulingResult run = scheduling_of(kTwoTiers, 6, kContending, {.cassini = true});
  for (const ScheduledJobResult& it : run.jobs) {
    EXPECT_LE(seconds(it.end), 10.1);
    EXPECT_EQ(it.times.percentile(0.99), it.times.percentile(0.01));
  }
  EXPECT_EQ(run.excess_bytes, 0);
}

// All jobs arrive at once and fit, so there is one decision: the candidate with the best score,
// which is recomputed here one by one.
TEST(SchedulingSimulation, CassiniTakesTheBestOfItsCandidates) {
  const std::vector<JobKind> kinds = {kHalf, ring_kind({{70_ms, {}}, {50_ms, 30_Gbps}}),
                                      ring_kind({{20_ms, {}}, {80_ms, 40_Gbps}})};
  fabric::Network network = fabric::fabric_of(kTwoTiers, 12);
  const int rack = rack_size(network);
  const SharedNetwork cluster(std::move(network));
  PlacedProfiles profiles(cluster, kinds);
  int better_than_the_first = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random = random_stream(seed);
    ClusterTrace trace{kinds, {}};
    std::vector<int> sizes;
    for (int left = 12; left >= 3;) {
      sizes.push_back(static_cast<int>(2 + random(2)));
      trace.jobs.push_back(trace_job(static_cast<int>(random(3)), sizes.back(), 0_s, 3));
      left -= sizes.back();
    }
    const SchedulingOptions options{
        .cassini = true, .candidates = 8, .rack = rack, .padding = 0, .seed = seed};
    JobAligner aligner(profiles.links(), {.nodes = options.nodes, .padding = 0});
    std::vector<double> scores;
    for (const Placed& placed :
         candidates(std::vector<bool>(12, true), sizes, rack, Nearness::racks, 8, mix(seed, 1))) {
      std::vector<const PlacedProfile*> jobs;
      for (std::size_t j = 0; j < placed.size(); ++j) {
        jobs.push_back(&profiles.of(trace.jobs[j].kind, placed[j]));
      }
      scores.push_back(aligner.align(jobs).score);
    }
    const double best = *std::max_element(scores.begin(), scores.end());
    const SchedulingResult run = simulate_scheduling(trace, profiles, options);
    ASSERT_EQ(run.decisions, 1) << "seed " << seed;
    EXPECT_NEAR(run.score, best, 1e-9) << "seed " << seed;
    if (best > scores.front() + 1e-6) ++better_than_the_first;
  }
  EXPECT_GT(better_than_the_first, 0);
}

TEST(SchedulingSimulation, ANewJobIsShiftedRelativeToARunningOne) {
  ClusterTrace trace = kContending;
  trace.jobs[1].arrival = 2'030_ms;
  const SchedulingResult run = scheduling_of(kTwoTiers, 6, trace, {.cassini = true});
  EXPECT_NEAR(seconds(run.jobs[0].end), 10, 0.001);
  EXPECT_LE(seconds(run.jobs[1].completion()), 10.1);
  EXPECT_EQ(run.excess_bytes, 0);
}

TEST(SchedulingSimulation, RealignmentCompensatesForJitter) {
  const auto mean = [](bool cassini) {
    return seconds(scheduling_of(kTwoTiers, 6, kContending, {.cassini = cassini, .jitter = 0.01})
                       .times.mean());
  };
  EXPECT_GT(mean(false), 0.125);
  EXPECT_LT(mean(true), 0.110);
}

// Waiting times for a single device, by Lindley's recursion.
TEST(SchedulingSimulation, OneDeviceIsAQueue) {
  Arrivals arrivals;
  arrivals.jobs = 2000;
  arrivals.every = 1_s;
  arrivals.weights = {1};
  arrivals.devices = {{}, 1, 1};
  arrivals.iterations = {{}, 1, 11};  // 0.6 s on average
  const std::vector<JobKind> kinds = {kComputes};
  const ClusterTrace trace = {kinds, poisson_jobs(arrivals, kinds, 1, nullptr)};
  const SchedulingResult run = scheduling_of("kind: switch, bandwidth: 1 Gbps", 1, trace);
  Duration free_at{0};
  double waited = 0;
  for (std::size_t j = 0; j < run.jobs.size(); ++j) {
    const Duration start = std::max(free_at, trace.jobs[j].arrival);
    free_at = start + trace.jobs[j].iterations * 100_ms;
    EXPECT_EQ(run.jobs[j].start, start) << j;
    EXPECT_EQ(run.jobs[j].end, free_at) << j;
    waited += seconds(run.jobs[j].queued);
  }
  // Pollaczek and Khinchine: load · E[S²] / (2 E[S] (1 - load)), E[S²] = 0.46 s².
  EXPECT_NEAR(waited / 2000, 0.46 / (2 * 0.4), 0.15);
}

TEST(SchedulingSimulation, LeasesAlternateJobsWithoutLosingIterations) {
  const ClusterTrace trace = {{kComputes}, {trace_job(0, 4, 0_s, 600), trace_job(0, 4, 0_s, 600)}};
  const SchedulingResult run = scheduling_of(
      kTwoTiers, 4, trace, {.policy = SharePolicy::fair, .lease = 20_s, .restart = 1_s});
  for (const ScheduledJobResult& it : run.jobs) {
    EXPECT_EQ(it.iterations, 600);
    EXPECT_GT(it.placements, 1);
  }
  EXPECT_NEAR(seconds(run.length), 120, 10);
}

TEST(SchedulingSimulation, GoodputGivesASingleJobAllItCanUse) {
  ClusterTrace trace = {{kComputes}, {trace_job(0, 2, 0_s, 100)}};
  trace.jobs[0].max_devices = 4;
  const SchedulingResult run = scheduling_of(kTwoTiers, 6, trace, {.policy = SharePolicy::goodput});
  EXPECT_EQ(run.jobs[0].end, 5_s);  // twice the batch, half the iterations
  trace.kinds[0].critical_batch = 64;
  // (64 + 64) / (64 + 128) of twice the samples: 4 / 3.
  EXPECT_NEAR(
      seconds(scheduling_of(kTwoTiers, 6, trace, {.policy = SharePolicy::goodput}).jobs[0].end),
      7.5, 0.1);
}

// Measured stages are known only for the requested number of devices.
TEST(SchedulingSimulation, GoodputGivesAJobOfUnknownBatchItsRequestOrNothing) {
  JobKind measured = kHalf;
  measured.batch = nullptr;
  ClusterTrace trace = {{measured}, {trace_job(0, 3, 0_s, 100), trace_job(0, 4, 0_s, 100)}};
  for (TraceJob& it : trace.jobs) it.max_devices = 6;
  const SchedulingResult run = scheduling_of(kTwoTiers, 6, trace, {.policy = SharePolicy::goodput});
  EXPECT_NEAR(run.jobs[0].device_seconds, 3 * 10, 1e-6);
  EXPECT_NEAR(run.jobs[1].device_seconds, 4 * 10, 1e-6);
  EXPECT_EQ(run.length, 20_s);  // one after the other
  EXPECT_GT(run.carried_bytes, 0);
}

TEST(SchedulingSimulation, EveryPolicyDoesAllWorkWithinTheClustersDevices) {
  const std::vector<JobKind> kinds = {kHalf, kComputes, ring_kind({{30_ms, {}}, {45_ms, 30_Gbps}})};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Arrivals arrivals;
    arrivals.jobs = 25;
    arrivals.every = 4_s;
    arrivals.weights = {1, 1, 1};
    arrivals.devices = {{}, 1, 7};
    arrivals.iterations = {{}, 20, 120};
    arrivals.seed = seed;
    const ClusterTrace trace = {kinds, poisson_jobs(arrivals, kinds, 12, nullptr)};
    for (int policy = 0; policy < 4; ++policy) {
      for (const bool cassini : {false, true}) {
        SCOPED_TRACE(fmt::format("seed {} policy {} cassini {}", seed, policy, cassini));
        SchedulingOptions options{.policy = static_cast<SharePolicy>(policy), .cassini = cassini};
        options.lease = 15_s;
        options.interval = 10_s;
        options.restart = 1_s;
        options.jitter = 0.02;
        options.seed = seed;
        const SchedulingResult run = scheduling_of(kTwoTiers, 12, trace, options);
        std::int64_t iterations = 0;
        for (const ScheduledJobResult& it : run.jobs) {
          // On fewer devices than requested, an iteration makes less progress.
          if (policy < 3) {
            EXPECT_EQ(it.iterations, it.asked_iterations);
          }
          EXPECT_GE(it.iterations, it.asked_iterations);
          EXPECT_GE(it.start, it.arrival);
          EXPECT_GE(it.queued, 0_s);
          EXPECT_EQ(it.times.count(), it.iterations);
          iterations += it.iterations;
        }
        EXPECT_EQ(run.times.count(), iterations);
        EXPECT_LE(run.held, 1 + 1e-9);
        EXPECT_LE(run.computing, run.held + 0.02);
        const SchedulingResult again = scheduling_of(kTwoTiers, 12, trace, options);
        EXPECT_EQ(again.length, run.length);
        EXPECT_EQ(again.excess_bytes, run.excess_bytes);
      }
    }
  }
}

TEST(SchedulingSimulation, AnEmptyTraceEndsImmediately) {
  EXPECT_TRUE(scheduling_of(kTwoTiers, 4, {{kHalf}, {}}).jobs.empty());
}

}  // namespace
}  // namespace loom::jobs
