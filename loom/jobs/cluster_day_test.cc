#include "loom/jobs/cluster_day.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loom/jobs/align_jobs.h"
#include "loom/jobs/arrivals.h"
#include "loom/jobs/day_testing.h"

namespace loom {
namespace {

constexpr Duration operator""_s(unsigned long long n) { return std::chrono::seconds(n); }

// Sends for 40 % of its time with all it has.
const JobKind kHalf = ring_kind({{60_ms, {}}, {40_ms, 50_Gbps}});
const JobKind kComputes = ring_kind({{100_ms, {}}});

TEST(ClusterDay, AJobAloneTakesItsIterations) {
  const DayResult day = day_of(kTwoTiers, 6, {{kHalf}, {day_job(0, 3, 5_s, 100)}});
  ASSERT_EQ(day.jobs.size(), 1U);
  EXPECT_EQ(day.jobs[0].start, 5_s);
  EXPECT_EQ(day.jobs[0].end, 15_s);
  EXPECT_EQ(day.jobs[0].iterations, 100);
  EXPECT_EQ(day.jobs[0].queued, 0_s);
  EXPECT_EQ(day.jobs[0].ideal, 10_s);
  EXPECT_EQ(day.times.mean(), 100_ms);
  EXPECT_NEAR(day.held, 0.5, 1e-9);
  EXPECT_NEAR(day.computing, 0.3, 1e-9);
  EXPECT_EQ(day.excess_bytes, 0);
}

TEST(ClusterDay, JobsThatShareNoLinkFinishAsAlone) {
  const DayTrace trace = {{kHalf},
                          {day_job(0, 2, 0_s, 50), day_job(0, 2, 0_s, 70), day_job(0, 2, 1_s, 20)}};
  for (const bool cassini : {false, true}) {
    const DayResult day = day_of(kTwoTiers, 6, trace, {.cassini = cassini});
    EXPECT_EQ(day.jobs[0].end, 5_s);
    EXPECT_EQ(day.jobs[1].end, 7_s);
    EXPECT_EQ(day.jobs[2].end, 3_s);
  }
}

// Three racks of two: each job has one whole and shares the uplink of the one in the middle.
const DayTrace kContending = {{kHalf}, {day_job(0, 3, 0_s, 100), day_job(0, 3, 0_s, 100)}};

TEST(ClusterDay, JobsThatSendTogetherOnALinkTakeTwiceAsLongForIt) {
  const DayResult day = day_of(kTwoTiers, 6, kContending);
  EXPECT_NEAR(seconds(day.jobs[0].end), 14, 1e-6);  // 60 + 2 · 40 ms an iteration
  EXPECT_NEAR(seconds(day.jobs[1].end), 14, 1e-6);
  EXPECT_GT(day.excess_bytes, 0);
}

TEST(ClusterDay, CassiniShiftsThemApartOnce) {
  const DayResult day = day_of(kTwoTiers, 6, kContending, {.cassini = true});
  for (const DayJobResult& it : day.jobs) {
    EXPECT_LE(seconds(it.end), 10.1);
    EXPECT_EQ(it.times.percentile(0.99), it.times.percentile(0.01));
  }
  EXPECT_EQ(day.excess_bytes, 0);
}

// All jobs come at once and fit, so there is one decision: the best of the candidates by the score
// of each, reckoned here one by one.
TEST(ClusterDay, CassiniTakesTheBestOfItsCandidates) {
  const std::vector<JobKind> kinds = {kHalf, ring_kind({{70_ms, {}}, {50_ms, 30_Gbps}}),
                                      ring_kind({{20_ms, {}}, {80_ms, 40_Gbps}})};
  Network network = fabric_of(kTwoTiers, 12);
  const int rack = rack_size(network);
  const SharedNetwork cluster(std::move(network));
  PlacedProfiles profiles(cluster, kinds);
  int better_than_the_first = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random = random_stream(seed);
    DayTrace trace{kinds, {}};
    std::vector<int> sizes;
    for (int left = 12; left >= 3;) {
      sizes.push_back(static_cast<int>(2 + random(2)));
      trace.jobs.push_back(day_job(static_cast<int>(random(3)), sizes.back(), 0_s, 3));
      left -= sizes.back();
    }
    const DayOptions options{
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
    const DayResult day = run_day(trace, profiles, options);
    ASSERT_EQ(day.decisions, 1) << "seed " << seed;
    EXPECT_NEAR(day.score, best, 1e-9) << "seed " << seed;
    if (best > scores.front() + 1e-6) ++better_than_the_first;
  }
  EXPECT_GT(better_than_the_first, 0);
}

TEST(ClusterDay, ANewJobFindsItsTurnBesideOneThatRuns) {
  DayTrace trace = kContending;
  trace.jobs[1].arrival = 2'030_ms;
  const DayResult day = day_of(kTwoTiers, 6, trace, {.cassini = true});
  EXPECT_NEAR(seconds(day.jobs[0].end), 10, 0.001);
  EXPECT_LE(seconds(day.jobs[1].completion()), 10.1);
  EXPECT_EQ(day.excess_bytes, 0);
}

TEST(ClusterDay, JitterIsMadeGoodByWaitingForTurns) {
  const auto mean = [](bool cassini) {
    return seconds(
        day_of(kTwoTiers, 6, kContending, {.cassini = cassini, .jitter = 0.01}).times.mean());
  };
  EXPECT_GT(mean(false), 0.125);
  EXPECT_LT(mean(true), 0.110);
}

// Who waits for one device, by Lindley's recursion.
TEST(ClusterDay, OneDeviceIsAQueue) {
  Arrivals arrivals;
  arrivals.jobs = 2000;
  arrivals.every = 1_s;
  arrivals.weights = {1};
  arrivals.devices = {{}, 1, 1};
  arrivals.iterations = {{}, 1, 11};  // 0.6 s on average
  const std::vector<JobKind> kinds = {kComputes};
  const DayTrace trace = {kinds, poisson_jobs(arrivals, kinds, 1, nullptr)};
  const DayResult day = day_of("kind: switch, bandwidth: 1 Gbps", 1, trace);
  Duration free_at{0};
  double waited = 0;
  for (std::size_t j = 0; j < day.jobs.size(); ++j) {
    const Duration start = std::max(free_at, trace.jobs[j].arrival);
    free_at = start + trace.jobs[j].iterations * 100_ms;
    EXPECT_EQ(day.jobs[j].start, start) << j;
    EXPECT_EQ(day.jobs[j].end, free_at) << j;
    waited += seconds(day.jobs[j].queued);
  }
  // Pollaczek and Khinchine: load · E[S²] / (2 E[S] (1 - load)), E[S²] = 0.46 s².
  EXPECT_NEAR(waited / 2000, 0.46 / (2 * 0.4), 0.15);
}

TEST(ClusterDay, LeasesLetJobsTakeTurnsAndLoseNoIteration) {
  const DayTrace trace = {{kComputes}, {day_job(0, 4, 0_s, 600), day_job(0, 4, 0_s, 600)}};
  const DayResult day =
      day_of(kTwoTiers, 4, trace, {.policy = SharePolicy::fair, .lease = 20_s, .restart = 1_s});
  for (const DayJobResult& it : day.jobs) {
    EXPECT_EQ(it.iterations, 600);
    EXPECT_GT(it.placements, 1);
  }
  EXPECT_NEAR(seconds(day.length), 120, 10);
}

TEST(ClusterDay, GoodputGivesALoneJobAllItCanUse) {
  DayTrace trace = {{kComputes}, {day_job(0, 2, 0_s, 100)}};
  trace.jobs[0].max_devices = 4;
  const DayResult day = day_of(kTwoTiers, 6, trace, {.policy = SharePolicy::goodput});
  EXPECT_EQ(day.jobs[0].end, 5_s);  // twice the batch, half the iterations
  trace.kinds[0].critical_batch = 64;
  // (64 + 64) / (64 + 128) of twice the samples: 4 / 3.
  EXPECT_NEAR(seconds(day_of(kTwoTiers, 6, trace, {.policy = SharePolicy::goodput}).jobs[0].end),
              7.5, 0.1);
}

// Where only the stages of an iteration are known, they are of the devices asked for.
TEST(ClusterDay, GoodputGivesAJobOfUnknownBatchWhatItAsksForOrNothing) {
  JobKind measured = kHalf;
  measured.batch = nullptr;
  DayTrace trace = {{measured}, {day_job(0, 3, 0_s, 100), day_job(0, 4, 0_s, 100)}};
  for (DayJob& it : trace.jobs) it.max_devices = 6;
  const DayResult day = day_of(kTwoTiers, 6, trace, {.policy = SharePolicy::goodput});
  EXPECT_NEAR(day.jobs[0].device_seconds, 3 * 10, 1e-6);
  EXPECT_NEAR(day.jobs[1].device_seconds, 4 * 10, 1e-6);
  EXPECT_EQ(day.length, 20_s);  // one after the other
  EXPECT_GT(day.carried_bytes, 0);
}

TEST(ClusterDay, EveryPolicyDoesAllWorkWithNoMoreDevicesThanThereAre) {
  const std::vector<JobKind> kinds = {kHalf, kComputes, ring_kind({{30_ms, {}}, {45_ms, 30_Gbps}})};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Arrivals arrivals;
    arrivals.jobs = 25;
    arrivals.every = 4_s;
    arrivals.weights = {1, 1, 1};
    arrivals.devices = {{}, 1, 7};
    arrivals.iterations = {{}, 20, 120};
    arrivals.seed = seed;
    const DayTrace trace = {kinds, poisson_jobs(arrivals, kinds, 12, nullptr)};
    for (int policy = 0; policy < 4; ++policy) {
      for (const bool cassini : {false, true}) {
        SCOPED_TRACE(fmt::format("seed {} policy {} cassini {}", seed, policy, cassini));
        DayOptions options{.policy = static_cast<SharePolicy>(policy), .cassini = cassini};
        options.lease = 15_s;
        options.interval = 10_s;
        options.restart = 1_s;
        options.jitter = 0.02;
        options.seed = seed;
        const DayResult day = day_of(kTwoTiers, 12, trace, options);
        std::int64_t iterations = 0;
        for (const DayJobResult& it : day.jobs) {
          // On fewer devices than asked for an iteration is worth less.
          if (policy < 3) {
            EXPECT_EQ(it.iterations, it.asked_iterations);
          }
          EXPECT_GE(it.iterations, it.asked_iterations);
          EXPECT_GE(it.start, it.arrival);
          EXPECT_GE(it.queued, 0_s);
          EXPECT_EQ(it.times.count(), it.iterations);
          iterations += it.iterations;
        }
        EXPECT_EQ(day.times.count(), iterations);
        EXPECT_LE(day.held, 1 + 1e-9);
        EXPECT_LE(day.computing, day.held + 0.02);
        const DayResult again = day_of(kTwoTiers, 12, trace, options);
        EXPECT_EQ(again.length, day.length);
        EXPECT_EQ(again.excess_bytes, day.excess_bytes);
      }
    }
  }
}

TEST(ClusterDay, ADayWithoutJobsIsOver) {
  EXPECT_TRUE(day_of(kTwoTiers, 4, {{kHalf}, {}}).jobs.empty());
}

}  // namespace
}  // namespace loom
