// Real TCP over a real bottleneck. Nothing here depends on how fast or busy the machine is.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>

#include "bpf/bench_summary.h"
#include "bpf/kernel_machine.h"

namespace loom::bpf {
namespace {

using KernelBench = KernelTest;

// Small and quick: 1 MB in 42 ms, then so much computing that no hold-up of a busy machine looks
// like it.
BenchSpec small(const std::string& algorithm) {
  BenchSpec spec;
  spec.size = Bytes{1'000'000};
  spec.compute = std::chrono::milliseconds(700);
  spec.settings.idle = std::chrono::milliseconds(200);
  spec.iterations = 6;
  spec.seeds = 1;
  spec.algorithms = {algorithm};
  return spec;
}

BenchResult quiet(const BenchSpec& spec) {
  return run_bench(spec, [](const std::string&, int, int) {});
}

// A machine so busy that a sender is held up for a fifth of a second splits an iteration: tried
// again.
BenchRun undisturbed(const BenchSpec& spec) {
  for (int attempt = 0;; ++attempt) {
    const BenchRun run = quiet(spec).runs.front();
    const bool split = std::any_of(run.flows.begin(), run.flows.end(), [&](const Flow& flow) {
      return flow.iterations != spec.iterations - 1;
    });
    if (!split || attempt == 2) return run;
  }
}

void expect_learned(const std::string& algorithm) {
  const BenchSpec spec = small(algorithm);
  const BenchRun run = undisturbed(spec);
  ASSERT_EQ(run.flows.size(), 2U);
  for (const Flow& flow : run.flows) {
    EXPECT_NEAR(static_cast<double>(flow.learned.count), static_cast<double>(spec.size.count),
                0.001 * static_cast<double>(spec.size.count));
    EXPECT_EQ(flow.iterations, spec.iterations - 1);  // that ended in a next one
    // And one each for the beginning and the end of the connection.
    EXPECT_EQ(flow.acked.count, spec.iterations * spec.size.count + 2);
    EXPECT_TRUE(flow.closed);
  }
}

TEST_F(KernelBench, RenoLearnsTheBytesOfAnIteration) { expect_learned("mltcp_reno"); }

TEST_F(KernelBench, CubicLearnsTheBytesOfAnIteration) { expect_learned("mltcp_cubic"); }

TEST_F(KernelBench, NoIterationStallsInAHundred) {
  BenchSpec spec = small("mltcp_reno");
  spec.compute = std::chrono::milliseconds(50);
  spec.iterations = 101;
  const BenchRun run = quiet(spec).runs.front();
  std::vector<Duration> times;
  for (const auto& job : run.bursts) {
    for (const Duration it : iteration_times(job)) times.push_back(it);
  }
  ASSERT_EQ(times.size(), 200U);
  std::sort(times.begin(), times.end());
  EXPECT_LE(times.back(), 10 * times[times.size() / 2]);
  EXPECT_GT(run.marked, 0);
}

// One transfer without a pause: it is never a job, is never scaled, and all of it arrives.
TEST_F(KernelBench, ABulkFlowMovesItsBytesAsTheBaseAlgorithmWould) {
  BenchSpec spec = small("mltcp_reno");
  spec.size = Bytes{20'000'000};
  spec.iterations = 1;
  const BenchRun run = quiet(spec).runs.front();
  for (const Flow& flow : run.flows) {
    EXPECT_EQ(flow.acked.count, spec.size.count + 2);
    EXPECT_EQ(flow.learned.count, 0);
  }
}

// Other work on the machine may spoil a run, so one of three tells.
TEST_F(KernelBench, TimeShiftsKeepJobsApart) {
  bool apart = false;
  for (int attempt = 0; attempt < 3 && !apart; ++attempt) {
    BenchSpec spec = small("reno_shifted");
    spec.compute = std::chrono::milliseconds(150);
    spec.iterations = 12;
    const RunSummary with = summary_of(quiet(spec).runs.front());
    spec.algorithms = {"reno"};
    const RunSummary without = summary_of(quiet(spec).runs.front());
    apart = with.overlap < without.overlap;
  }
  EXPECT_TRUE(apart);
}

// Ended in the middle, politely or not, it leaves nothing; the next one runs.
TEST_F(KernelBench, LeavesNothingWhenInterrupted) {
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    const pid_t child = start({LOOM_BINARY, "mltcp", "bench", "--iterations", "200", "--seeds", "1",
                               "--algorithms", "mltcp_reno", "--size", "1MB"});
    ASSERT_GT(child, 0);
    EXPECT_TRUE(within(std::chrono::seconds(60), [] { return is_registered("mltcp_reno"); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    expect_nothing_left();
  }
}

}  // namespace
}  // namespace loom::bpf
