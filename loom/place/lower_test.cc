// A lowered job: ordered, complete, and the same for every device of a stage.
#include "loom/place/lower.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "loom/base/random.h"
#include "loom/place/testing.h"

namespace loom::place {
namespace {

// Random; many are infeasible.
parallelize::Strategy random_strategy(Random& random) {
  constexpr std::array kDegrees = {1, 1, 2, 4};
  parallelize::Strategy it;
  it.tensor = kDegrees[random(4)];
  it.context = kDegrees[random(3)];
  it.pipeline = kDegrees[random(4)];
  it.data = kDegrees[random(4)];
  it.expert = kDegrees[random(3)];
  it.micro_batch = kDegrees[random(3)];
  it.interleave = it.pipeline > 1 ? kDegrees[random(3)] : 1;
  it.schedule = it.interleave > 1 ? parallelize::PipelineSchedule::interleaved
                                  : static_cast<parallelize::PipelineSchedule>(random(2));
  it.zero = static_cast<int>(random(4));
  it.sequence_parallel = it.tensor > 1 && random(2) == 0;
  it.recompute = static_cast<parallelize::Recompute>(random(3));
  for (std::size_t i = 4; i > 0; --i) std::swap(it.order[i], it.order[random(i + 1)]);
  return it;
}

void for_random_jobs(const std::function<void(const parallelize::ShardedModel&)>& look) {
  const std::array models = {
      parallelize::small_transformer(8), parallelize::small_mixture(8),
      model::model_of("model: mlp, inputs: 64, widths: 64x64x64x64x64x64x64x64")};
  int count = 0;
  for (std::uint64_t seed = 0; count < 150; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed);
    const model::Model& model = models[random(models.size())];
    const parallelize::Strategy strategy = random_strategy(random);
    parallelize::Job job;
    job.batch = std::int64_t{16} * (1 + random(2));
    job.overlap_gradients = random(2) == 0;
    job.overlap_pipeline = random(2) == 0;
    job.bucket = random(2) == 0 ? 1_B : 25_MiB;
    if (objection(model, job, strategy)) continue;
    ++count;
    look(shard(model, job, strategy, parallelize::small_accelerator(), {}));
  }
}

TEST(Lower, OperationsDependOnlyOnEarlierOnes) {
  for_random_jobs([](const parallelize::ShardedModel& sharded) {
    const LoweredJob job = lowered(sharded, 2);
    ASSERT_EQ(job.tags.size(), job.workload.operations.size());
    for (std::size_t o = 0; o < job.workload.operations.size(); ++o) {
      for (const std::uint32_t before : job.workload.waits_for(o)) {
        ASSERT_LT(before, o);
        ASSERT_LE(job.tags[before].iteration, job.tags[o].iteration);
      }
    }
  });
}

TEST(Lower, EveryDeviceOfAStageDoesTheSameWork) {
  for_random_jobs([](const parallelize::ShardedModel& sharded) {
    const LoweredJob job = lowered(sharded);
    std::vector<Duration> busy(static_cast<std::size_t>(job.workload.devices), Duration(0));
    for (const workload::Operation& it : job.workload.operations) {
      if (it.kind != workload::OperationKind::compute) continue;
      for (const int device : job.workload.groups[static_cast<std::size_t>(it.groups)].members) {
        busy[static_cast<std::size_t>(device)] += it.time;
      }
    }
    const Grid grid(sharded.strategy);
    for (int stage = 0; stage < sharded.strategy.pipeline; ++stage) {
      Duration expected = sharded.optimizer_time[static_cast<std::size_t>(stage)];
      for (const parallelize::Chunk& chunk : sharded.chunks) {
        if (chunk.stage != stage) continue;
        for (const parallelize::Task* task : {&chunk.forward, &chunk.backward}) {
          for (const parallelize::Step& step : task->steps) {
            expected += step.communicates ? Duration(0) : sharded.micro_batches * step.time;
          }
        }
      }
      for (const int device : grid.stage(stage).members) {
        EXPECT_EQ(busy[static_cast<std::size_t>(device)], expected);
      }
    }
    const std::vector<Traffic> traffic = traffic_of(job);
    for (int stage = 0; stage < sharded.strategy.pipeline; ++stage) {
      const std::vector<int> devices = grid.stage(stage).members;
      for (const int device : devices) {
        EXPECT_EQ(traffic[static_cast<std::size_t>(device)],
                  traffic[static_cast<std::size_t>(devices.front())]);
      }
    }
  });
}

// The optimizer ends an iteration: no operation of the next one starts earlier on its stage.
TEST(Lower, AStageStartsTheNextIterationAfterItsUpdate) {
  for_random_jobs([](const parallelize::ShardedModel& sharded) {
    const LoweredJob job = lowered(sharded, 2);
    std::map<int, std::uint32_t> update;
    for (std::uint32_t o = 0; o < job.workload.operations.size(); ++o) {
      const OperationTag& tag = job.tags[o];
      if (tag.iteration == 0 && tag.purpose == Purpose::optimizer) update[tag.stage] = o;
    }
    ASSERT_EQ(update.size(), static_cast<std::size_t>(sharded.strategy.pipeline));
    std::vector<std::set<int>> updated(job.workload.operations.size());  // stages, per operation
    for (std::uint32_t o = 0; o < job.workload.operations.size(); ++o) {
      const OperationTag& tag = job.tags[o];
      for (const std::uint32_t before : job.workload.waits_for(o)) {
        updated[o].insert(updated[before].begin(), updated[before].end());
      }
      if (update.at(tag.stage) == o) updated[o].insert(tag.stage);
      if (tag.iteration == 1) {
        EXPECT_TRUE(updated[o].contains(tag.stage)) << operation_name(job, o);
      }
    }
  });
}

TEST(Lower, TheUpdateWaitsForEveryReduction) {
  for_random_jobs([](const parallelize::ShardedModel& sharded) {
    const LoweredJob job = lowered(sharded);
    std::vector<bool> awaited(job.workload.operations.size(), false);
    for (std::uint32_t o = 0; o < job.workload.operations.size(); ++o) {
      if (job.tags[o].purpose != Purpose::optimizer) continue;
      for (const std::uint32_t before : job.workload.waits_for(o)) awaited[before] = true;
    }
    for (std::uint32_t o = 0; o < job.workload.operations.size(); ++o) {
      const workload::Operation& it = job.workload.operations[o];
      if (it.kind != workload::OperationKind::collective || job.tags[o].purpose != Purpose::data)
        continue;
      const auto kind = job.workload.collectives[static_cast<std::size_t>(it.collective)].kind;
      const bool reduces = kind == workload::CollectiveKind::all_reduce ||
                           kind == workload::CollectiveKind::reduce_scatter;
      EXPECT_TRUE(awaited[o] || !reduces) << operation_name(job, o);
    }
  });
}

// Each of these operations of a stage waits for the previous one: they use the same links, and an
// engine that estimates each in isolation would ignore their contention.
void expect_one_after_another(const LoweredJob& job,
                              const std::function<bool(std::uint32_t)>& looked_at) {
  std::map<std::tuple<int, int, bool>, std::uint32_t> last;  // by iteration, stage and direction
  for (std::uint32_t o = 0; o < job.workload.operations.size(); ++o) {
    if (!looked_at(o)) continue;
    const OperationTag& tag = job.tags[o];
    const auto known = last.try_emplace({tag.iteration, tag.stage, tag.forward}, o);
    if (known.second) continue;
    const auto after = job.workload.waits_for(o);
    EXPECT_NE(std::find(after.begin(), after.end(), known.first->second), after.end())
        << operation_name(job, o);
    known.first->second = o;
  }
}

workload::CollectiveKind kind_of(const LoweredJob& job, std::uint32_t operation) {
  const int index = job.workload.operations[operation].collective;
  return job.workload.collectives[static_cast<std::size_t>(index)].kind;
}

TEST(Lower, ReductionsOfAStageFollowOneAnother) {
  for_random_jobs([](const parallelize::ShardedModel& sharded) {
    const LoweredJob job = lowered(sharded, 2);
    expect_one_after_another(job, [&](std::uint32_t o) {
      if (job.tags[o].purpose != Purpose::data || job.tags[o].forward) return false;
      const workload::CollectiveKind kind = kind_of(job, o);
      return kind == workload::CollectiveKind::all_reduce ||
             kind == workload::CollectiveKind::reduce_scatter;
    });
  });
}

TEST(Lower, MessagesToAStageFollowOneAnother) {
  for_random_jobs([](const parallelize::ShardedModel& sharded) {
    const LoweredJob job = lowered(sharded, 2);
    expect_one_after_another(
        job, [&](std::uint32_t o) { return job.tags[o].purpose == Purpose::pipeline; });
  });
}

TEST(Lower, NamesSayWhatAnOperationIsFor) {
  const LoweredJob job =
      lowered(parallelize::small_transformer(2), {.batch = 4}, {.data = 2, .pipeline = 2});
  std::set<std::string> names;
  for (std::size_t o = 0; o < job.tags.size(); ++o) {
    EXPECT_TRUE(names.insert(operation_name(job, o)).second);
  }
  EXPECT_EQ(operation_name(job, 0), "i0.s0.c0.m0.forward.b0.compute.0");
  EXPECT_EQ(operation_name(job, 1), "i0.s0.c0.m0.forward.b0.pipeline.1");
  EXPECT_EQ(operation_name(job, job.tags.size() - 1),
            fmt::format("i0.s1.optimizer.{}", job.tags.size() - 1));
}

}  // namespace
}  // namespace loom::place
