// The breakdown of an iteration adds up, and the pipeline bubble is the published one.
#include "loom/run/trace/explain.h"

#include "loom/run/testing.h"

namespace loom::run {
namespace {

Duration sum(const std::vector<TimeShare>& shares) {
  Duration all{0};
  for (const TimeShare& it : shares) all += it.time;
  return all;
}

Duration share(const std::vector<TimeShare>& shares, const std::string& name) {
  for (const TimeShare& it : shares) {
    if (it.name == name) return it.time;
  }
  return Duration(0);
}

void expect_adds_up(const JobRun& run, int stages) {
  const Explanation& it = run.explanation;
  EXPECT_EQ(it.to - it.from, run.iteration());
  ASSERT_EQ(it.stages.size(), static_cast<std::size_t>(stages));
  for (std::size_t s = 0; s < it.stages.size(); ++s) {
    EXPECT_EQ(it.stages[s].stage, static_cast<int>(s));
    EXPECT_EQ(sum(it.stages[s].shares), run.iteration()) << "stage " << s;
    for (const TimeShare& share : it.stages[s].shares) EXPECT_GT(share.time.count(), 0);
  }
  ASSERT_FALSE(it.path.empty());
  TimePoint at = it.from;
  for (const PathSegment& segment : it.path) {
    EXPECT_EQ(segment.from, at) << segment.name;
    EXPECT_GT(segment.to, segment.from) << segment.name;
    at = segment.to;
  }
  EXPECT_EQ(at, it.to);
  EXPECT_EQ(sum(it.on_path), run.iteration());
}

TEST(Explain, SharesAndPathAddUpToTheIterationExactly) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const RandomJob job = random_job(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << to_text(job));
    for (const By engine : {By::coarse, By::fluid}) {
      SCOPED_TRACE(engine == By::fluid ? "fluid" : "coarse");
      expect_adds_up(run_job(job.sharded(), job.network, engine), job.strategy.pipeline);
    }
  }
}

TEST(Explain, SharesAndPathAddUpWithJitter) {
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    const RandomJob job = random_job(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << to_text(job));
    simulate::EngineOptions options;
    options.jitter = 0.2;
    options.seed = seed;
    for (const By engine : {By::coarse, By::fluid}) {
      SCOPED_TRACE(engine == By::fluid ? "fluid" : "coarse");
      expect_adds_up(run_job(job.sharded(), job.network, engine, options), job.strategy.pipeline);
    }
  }
}

TEST(Explain, OneIterationCountsFromTheStartOfTheRun) {
  for (std::uint64_t seed = 2000; seed < 2030; ++seed) {
    const RandomJob job = random_job(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << to_text(job));
    const JobRun run = run_job(job.sharded(), job.network, By::fluid, {}, 1);
    EXPECT_EQ(run.explanation.from, TimePoint());
    expect_adds_up(run, job.strategy.pipeline);
  }
}

// The computation of a stage is the work assigned to it.
TEST(Explain, ComputationIsTheWorkOfAStage) {
  for (std::uint64_t seed = 3000; seed < 3040; ++seed) {
    const RandomJob job = random_job(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << to_text(job));
    const parallelize::ShardedModel sharded = job.sharded();
    const JobRun run = run_job(sharded, job.network, By::coarse);
    std::vector<Duration> busy(static_cast<std::size_t>(job.strategy.pipeline), Duration(0));
    for (const parallelize::Chunk& chunk : sharded.chunks) {
      for (const parallelize::Task* task : {&chunk.forward, &chunk.backward}) {
        for (const parallelize::Step& step : task->steps) {
          if (step.communicates) continue;
          busy[static_cast<std::size_t>(chunk.stage)] += sharded.micro_batches * step.time;
        }
      }
    }
    for (const StageTime& stage : run.explanation.stages) {
      // Work done before the previous iteration ended on all stages is not included.
      EXPECT_LE(share(stage.shares, "compute"), busy[static_cast<std::size_t>(stage.stage)]);
    }
    if (job.strategy.pipeline == 1) {
      EXPECT_EQ(share(run.explanation.stages.front().shares, "compute"), busy.front());
      EXPECT_EQ(share(run.explanation.stages.front().shares, "pipeline bubble"), Duration(0));
    }
  }
}

// Stages of one forward and one backward step that send nothing: only the schedule remains.
parallelize::ShardedModel bare_pipeline(int stages, int chunks, int micro_batches,
                                        parallelize::PipelineSchedule schedule) {
  constexpr Duration kForward{3'000'000};
  constexpr Duration kBackward{6'000'000};
  parallelize::ShardedModel it;
  it.strategy = {.pipeline = stages, .interleave = chunks, .schedule = schedule};
  it.job.batch = micro_batches;
  it.micro_batches = micro_batches;
  for (int c = 0; c < stages * chunks; ++c) {
    parallelize::Chunk chunk;
    chunk.stage = c % stages;
    const auto task = [](Duration time) {
      parallelize::Task one;
      one.steps.push_back({.time = time});
      one.last = 0;
      return one;
    };
    chunk.forward = task(kForward / chunks);
    chunk.backward = task(kBackward / chunks);
    it.chunks.push_back(chunk);
  }
  it.optimizer_time.assign(static_cast<std::size_t>(stages), Duration(0));
  return it;
}

// arXiv 2104.04473, sections 2.2.1 and 2.2.2: the bubble is (p - 1) / (v · m) of the computation.
TEST(Bubble, IsExactlyThePublishedFraction) {
  const auto expect_bubble = [](int p, int v, int m, parallelize::PipelineSchedule schedule) {
    SCOPED_TRACE(::testing::Message()
                 << "p " << p << " v " << v << " m " << m << " "
                 << parallelize::kScheduleNames[static_cast<std::size_t>(schedule)]);
    const fabric::Network network =
        fabric::fabric_of("kind: switch, bandwidth: 1 Tbps, latency: 0 ns", p);
    for (const By engine : {By::coarse, By::fluid}) {
      const JobRun run = run_job(bare_pipeline(p, v, m, schedule), network, engine);
      const Duration computing = m * Duration(9'000'000);
      for (const StageTime& stage : run.explanation.stages) {
        EXPECT_EQ(share(stage.shares, "compute"), computing);
        EXPECT_EQ(v * m * share(stage.shares, "pipeline bubble"), (p - 1) * computing)
            << "stage " << stage.stage;
        EXPECT_EQ(sum(stage.shares), run.iteration());
      }
    }
  };
  for (const int p : {2, 3, 4}) {
    for (const int m : {1, 2, 3, 4, 6, 8, 12, 24}) {
      expect_bubble(p, 1, m, parallelize::PipelineSchedule::gpipe);
      expect_bubble(p, 1, m, parallelize::PipelineSchedule::one_forward_one_backward);
      for (const int v : {1, 2, 3, 4}) {
        if (v == 1 || m % p == 0)
          expect_bubble(p, v, m, parallelize::PipelineSchedule::interleaved);
      }
    }
  }
}

// With jitter, ranks wait for each other in collectives.
TEST(Explain, AStragglerIsNamed) {
  plan::JobSpec spec;
  spec.model = parallelize::small_transformer(4);
  spec.job.batch = 4;
  const fabric::Network network =
      fabric::fabric_of("kind: switch, bandwidth: 1 Tbps, latency: 0 ns", 4);
  const parallelize::ShardedModel it = sharded(spec.model, spec.job, {.tensor = 4});
  const JobRun even = run_job(it, network, By::fluid);
  EXPECT_EQ(share(even.explanation.stages.front().shares, "waiting for slower ranks"), Duration(0));
  simulate::EngineOptions options;
  options.jitter = 0.3;
  const JobRun uneven = run_job(it, network, By::fluid, options);
  EXPECT_GT(share(uneven.explanation.stages.front().shares, "waiting for slower ranks"),
            Duration(0));
  EXPECT_GT(uneven.iteration(), even.iteration());
}

TEST(Explain, TasksHaveReadableNames) {
  const JobRun run =
      run_job(parallelize::sharded(parallelize::small_transformer(2), {.batch = 4}, {.data = 2}),
              fabric::fabric_of("kind: switch, bandwidth: 1 Tbps", 2), By::coarse);
  EXPECT_EQ(task_name(run.job, run.job.workload, 0), "forward of micro-batch 0");
  std::string last;
  for (std::size_t o = 0; o < run.job.tags.size(); ++o) {
    if (run.job.tags[o].purpose == place::Purpose::data)
      last = task_name(run.job, run.job.workload, o);
  }
  EXPECT_EQ(last, "data all_reduce");
}

std::string text_of(const Explanation& it) {
  std::string text =
      fmt::format("{} {} {}\n", elapsed(it.from).count(), elapsed(it.to).count(), it.busiest);
  for (const StageTime& stage : it.stages) {
    text += fmt::format("stage {} device {}\n", stage.stage, stage.device);
    for (const TimeShare& share : stage.shares) {
      text += fmt::format("  {} {}\n", share.name, share.time.count());
    }
  }
  for (const PathSegment& segment : it.path) {
    text += fmt::format("{} {} {} {}\n", elapsed(segment.from).count(), elapsed(segment.to).count(),
                        segment.device, segment.name);
  }
  for (const TimeShare& share : it.on_path) {
    text += fmt::format("{} {}\n", share.name, share.time.count());
  }
  return text;
}

TEST(Explain, IsTheSameWithAndWithoutSymmetryReduction) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const RandomJob job = random_job(seed);
    SCOPED_TRACE(fmt::format("seed {}, {}, {}", seed, to_text(job.strategy), job.fabric));
    simulate::EngineOptions options;
    const JobRun once = run_job(job.sharded(), job.network, By::fluid, options);
    options.folding = false;
    const JobRun each = run_job(job.sharded(), job.network, By::fluid, options);
    EXPECT_EQ(once.outcome.operation_end, each.outcome.operation_end);
    EXPECT_EQ(once.outcome.link_bytes, each.outcome.link_bytes);
    EXPECT_EQ(once.outcome.messages, each.outcome.messages);
    EXPECT_EQ(once.outcome.bytes, each.outcome.bytes);
    EXPECT_EQ(text_of(once.explanation), text_of(each.explanation));
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace loom::run
