// Compares runs with closed forms for two jobs on one link.
#include "loom/jobs/contention/periodic_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <thread>

#include "loom/base/error.h"
#include "loom/jobs/contention/periodic_testing.h"
#include "loom/jobs/contention/transports/transports.h"

namespace loom::jobs {
namespace {

PeriodicOptions options_of(const Transport* kind, std::vector<Duration> starts = {},
                           std::int64_t iterations = 10) {
  PeriodicOptions options;
  options.transport.kind = kind;
  options.starts = std::move(starts);
  options.iterations = iterations;
  return options;
}

TEST(PeriodicRun, AnUncontendedIterationTakesThePeriod) {
  const auto profiles = on_one_link({sender_of("a", 100_ms + 7_ps, 150_ms + 5_ps)});
  const PeriodicRun run = run_periodic(profiles, options_of(&kFair, {3_ms}));
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(run.jobs[0].end[i], 3_ms + static_cast<int>(i + 1) * (250_ms + 12_ps));
  }
}

TEST(PeriodicRun, EqualJobsUnderFairSharingNeverSeparate) {
  const auto profiles =
      on_one_link({sender_of("a", 100_ms, 150_ms), sender_of("b", 100_ms, 150_ms)});
  const PeriodicRun run = run_periodic(profiles, options_of(&kFair));
  for (const PeriodicJobRun& job : run.jobs) {
    for (const Duration it : job.iteration_times()) EXPECT_EQ(it, 350_ms);
  }
  // Both demand the full link during the 200 ms in which they send together.
  EXPECT_EQ(run.links[0].congested, 10 * 200_ms);
  EXPECT_NEAR(run.links[0].excess_bytes, 10 * 0.2 * 50e9 / 8, 1);
  EXPECT_NEAR(run.links[0].bytes, 20 * 0.1 * 50e9 / 8, 1);
}

TEST(PeriodicRun, FairSharingPreservesAStartOffset) {
  const auto profiles =
      on_one_link({sender_of("a", 100_ms, 150_ms), sender_of("b", 100_ms, 150_ms)});
  const PeriodicRun run = run_periodic(profiles, options_of(&kFair, {0_ms, 30_ms}));
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(run.jobs[1].end[i] - run.jobs[0].end[i], 30_ms);
    EXPECT_EQ(run.jobs[0].iteration_times()[i], 320_ms);
  }
}

TEST(PeriodicRun, JobsThatInterleaveDoNotContend) {
  const auto profiles =
      on_one_link({sender_of("a", 100_ms, 150_ms), sender_of("b", 100_ms, 150_ms)});
  for (const Transport* kind : {&kFair, &kWeighted, &kMltcp, &kSrpt}) {
    const PeriodicRun run = run_periodic(profiles, options_of(kind, {0_ms, 100_ms}));
    for (const PeriodicJobRun& job : run.jobs) {
      for (const Duration it : job.iteration_times()) EXPECT_EQ(it, 250_ms);
    }
    EXPECT_EQ(run.links[0].congested, 0_ms);
  }
}

// While the heavier job sends its remainder, the other sends two thirds as much: each iteration
// keeps two thirds of the overlap.
TEST(PeriodicRun, UnequalSharesSeparateEqualJobs) {
  const auto profiles = on_one_link({sender_of("a", 90_ms, 200_ms), sender_of("b", 90_ms, 200_ms)});
  PeriodicOptions options = options_of(&kWeighted);
  options.weights = {60, 40};
  const PeriodicRun run = run_periodic(profiles, options);
  EXPECT_NEAR(seconds(run.jobs[0].end[0]), 0.200 + 0.150, 1e-9);
  double overlap = 0.09;
  for (std::size_t i = 0; i < 10; ++i) {
    overlap *= 2.0 / 3;
    EXPECT_NEAR(seconds(run.jobs[1].end[i] - run.jobs[0].end[i]), 0.09 - overlap, 1e-10);
  }
}

TEST(PeriodicRun, SrptLetsTheJobAheadFinishFirst) {
  const auto profiles =
      on_one_link({sender_of("a", 100_ms, 150_ms), sender_of("b", 100_ms, 150_ms)});
  const PeriodicRun run = run_periodic(profiles, options_of(&kSrpt, {30_ms, 0_ms}));
  EXPECT_EQ(run.jobs[1].iteration_times()[0], 250_ms);
  EXPECT_EQ(run.jobs[0].iteration_times()[0], 320_ms);
  for (const PeriodicJobRun& job : run.jobs) {
    for (std::size_t i = 1; i < 10; ++i) EXPECT_EQ(job.iteration_times()[i], 250_ms);
  }
}

// The slopes of both published variants, and every start offset in tenths of m.
TEST(PeriodicRun, MltcpShiftsTwoEqualJobsByTheFormula) {
  for (const double slope : {1.75, 4.0}) {
    for (int tenths = 1; tenths < 10; ++tenths) {
      const Duration m = 100_ms;
      const auto profiles = on_one_link({sender_of("a", m, 200_ms), sender_of("b", m, 200_ms)});
      PeriodicOptions options = options_of(&kMltcp, {0_ms, tenths * 10_ms});
      options.transport.slope = slope;
      const PeriodicRun run = run_periodic(profiles, options);
      double apart = 0.01 * tenths;
      for (std::size_t i = 0; i < 10; ++i) {
        const double whole = seconds(m);
        const double shift = slope * apart * (whole - apart) / (whole * 0.25 + apart * slope);
        const double next = seconds(run.jobs[1].end[i] - run.jobs[0].end[i]);
        EXPECT_NEAR(next - apart, shift, std::max(1e-8 * shift, 2e-12)) << slope << " " << tenths;
        apart = next;
      }
    }
  }
}

TEST(PeriodicRun, SquareRootSharesNeedTwiceTheIterations) {
  const auto profiles =
      on_one_link({sender_of("a", 100_ms, 150_ms), sender_of("b", 100_ms, 150_ms)});
  const auto apart_after = [&](MltcpShare share) {
    PeriodicOptions options = options_of(&kMltcp, {0_ms, 1_ms}, 40);
    options.transport.share = share;
    const PeriodicRun run = run_periodic(profiles, options);
    std::size_t i = 0;
    while (i < 40 && run.jobs[1].end[i] - run.jobs[0].end[i] < 95_ms) ++i;
    return i + 1;
  };
  EXPECT_EQ(apart_after(MltcpShare::linear), 4);
  EXPECT_GE(apart_after(MltcpShare::square_root), 8);
  EXPECT_LE(apart_after(MltcpShare::square_root), 9);
}

TEST(PeriodicRun, ContentionLossReducesTheCapacity) {
  const auto profiles =
      on_one_link({sender_of("a", 100_ms, 150_ms), sender_of("b", 100_ms, 150_ms)});
  PeriodicOptions options = options_of(&kFair);
  options.transport.contention_loss = 0.2;
  const PeriodicRun run = run_periodic(profiles, options);
  for (const Duration it : run.jobs[0].iteration_times()) EXPECT_EQ(it, 150_ms + 250_ms);
  options.starts = {0_ms, 100_ms};
  EXPECT_EQ(run_periodic(profiles, options).jobs[0].iteration_times().back(), 250_ms);
}

TEST(PeriodicRun, AStageIsLimitedByItsBottleneckLink) {
  SharedProfiles profiles{{{"fast", 50_Gbps}, {"slow", 10_Gbps}}, {}};
  profiles.jobs.push_back({"both", {{100_ms, {{0, 50_Gbps}, {1, 10_Gbps}}}, {100_ms, {}}}});
  profiles.jobs.push_back({"slow", {{100_ms, {{1, 10_Gbps}}}, {100_ms, {}}}});
  const PeriodicRun run = run_periodic(profiles, options_of(&kFair));
  // The first job sends five bytes for each byte on the slow link, so its fair share of that link,
  // as one flow, is a fifth of its bandwidth: 10 = b / 5 + b.
  EXPECT_NEAR(seconds(run.jobs[1].end[0]), 0.1 + 0.1 * 6 / 5, 1e-9);
}

TEST(PeriodicRun, JitterIsSeededAndHasTheGivenSigma) {
  const auto profiles = on_one_link({sender_of("a", 1_ms, 100_ms)});
  PeriodicOptions options = options_of(&kFair, {}, 4000);
  options.jitter = 0.1;
  const auto times = run_periodic(profiles, options).jobs[0].iteration_times();
  EXPECT_EQ(times, run_periodic(profiles, options).jobs[0].iteration_times());
  double sum = 0;
  double squares = 0;
  for (const Duration it : times) {
    const double log = std::log(seconds(it - 1_ms) / 0.1);
    sum += log;
    squares += log * log;
  }
  EXPECT_NEAR(sum / 4000, 0, 0.005);
  EXPECT_NEAR(std::sqrt(squares / 4000), 0.1, 0.005);
  options.seed = 2;
  EXPECT_NE(times, run_periodic(profiles, options).jobs[0].iteration_times());
}

TEST(PeriodicRun, AMisalignedJobWaits) {
  const auto profiles =
      on_one_link({sender_of("a", 100_ms, 150_ms), sender_of("b", 100_ms, 150_ms)});
  PeriodicOptions options = options_of(&kFair, {0_ms, 120_ms}, 2000);
  options.jitter = 0.02;
  const PeriodicRun adrift = run_periodic(profiles, options);
  options.realign = true;
  const PeriodicRun kept = run_periodic(profiles, options);
  EXPECT_LT(kept.links[0].excess_bytes, adrift.links[0].excess_bytes / 10);
  for (std::size_t job = 0; job < 2; ++job) {
    EXPECT_GT(kept.jobs[job].realignments, 0);
    for (const Duration it : kept.jobs[job].start) {
      const Duration late = (it - options.starts[job]) % 250_ms;
      EXPECT_LE(std::min(late, 250_ms - late), 12500_us);
    }
  }
}

TEST(PeriodicRun, AStarvedJobEndsTheRun) {
  SharedProfiles profiles =
      on_one_link({sender_of("small", 10_ms, 1_ns), sender_of("large", 900_ms, 1_ms)});
  const PeriodicRun run = run_periodic(profiles, options_of(&kSrpt));
  EXPECT_FALSE(run.complete);
  EXPECT_TRUE(run.jobs[1].end.empty());
}

TEST(PeriodicRun, SlowAndLateJobsAreWaitedFor) {
  const SharedProfiles profiles =
      on_one_link({sender_of("fast", 1_ms, 9_ms), sender_of("slow", 1000_ms, 3000_ms)});
  PeriodicOptions options = options_of(&kFair);
  options.starts = {0_ms, 100'000_ms};
  const PeriodicRun run = run_periodic(profiles, options);
  EXPECT_TRUE(run.complete);
  EXPECT_EQ(run.jobs[1].end.size(), 10);
  // The fast job continues until the slow one is done, so that the contention is measured.
  EXPECT_GT(run.jobs[0].end.back(), run.jobs[1].end[8]);
}

TEST(PeriodicRun, EndsAtTheHorizonAndCountsBytesSentUntilThen) {
  const auto profiles =
      on_one_link({sender_of("a", 100_ms, 150_ms), sender_of("b", 100_ms, 150_ms)});
  for (const Transport* kind : {&kFair, &kMltcp}) {
    PeriodicOptions options = options_of(kind, {0_ms, 20_ms}, 0);
    options.horizon = 60_ms;
    const PeriodicRun run = run_periodic(profiles, options);
    EXPECT_EQ(run.end, 60_ms);
    EXPECT_NEAR(run.links[0].bytes, 0.06 * 50e9 / 8, 1);
    EXPECT_EQ(run.links[0].congested, 40_ms);
  }
}

TEST(PeriodicRun, IsTheSameForAnyNumberOfThreads) {
  Random random = random_stream(5);
  const SharedProfiles profiles = random_profiles(random);
  PeriodicOptions options = options_of(&kMltcp, {}, 50);
  options.jitter = 0.05;
  const PeriodicRun single = run_periodic(profiles, options);
  std::vector<PeriodicRun> runs(4);
  std::vector<std::thread> threads;
  for (PeriodicRun& it : runs) threads.emplace_back([&] { it = run_periodic(profiles, options); });
  for (std::thread& it : threads) it.join();
  for (const PeriodicRun& it : runs) {
    for (std::size_t job = 0; job < single.jobs.size(); ++job) {
      EXPECT_EQ(it.jobs[job].end, single.jobs[job].end);
    }
  }
}

TEST(PeriodicRun, RefusesProfilesThatCannotBeRun) {
  const auto message = [](const SharedProfiles& profiles, const JobTransport& transport) {
    try {
      run_periodic(profiles, {.transport = transport});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("runs");
  };
  EXPECT_EQ(message(on_one_link({{"a", {}}}), {}),
            "an iteration of a takes no time; a period above 0 is needed");
  EXPECT_EQ(message(on_one_link({sender_of("a", 1_ms, 1_ms)}, 0_Gbps), {}),
            "the link link has a capacity of 0 bps; more than 0 is needed");
  EXPECT_EQ(message(on_one_link({{"a", {{1_ms, {{3, 1_Gbps}}}}}}), {}),
            "a stage of a sends 1.000 Gbps over link 3; a rate of at least 0 and a link below 1 "
            "are needed");
  EXPECT_EQ(message(on_one_link({sender_of("a", 1_ms, 1_ms)}), {.kind = &kMltcp, .intercept = 0}),
            "intercept is 0; more than 0 is needed");
  EXPECT_EQ(message(on_one_link({sender_of("a", 1_ms, 1_ms)}),
                    {.kind = &kMltcp, .slope = -1, .intercept = 0.5}),
            "slope is -1; F = slope * r + intercept above 0 for all r from 0 to 1 is needed");
}

}  // namespace
}  // namespace loom::jobs
