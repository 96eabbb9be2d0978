// Every pipeline order: complete, free of deadlock, and with no more chunks in flight than stated.
#include "loom/parallelize/pipeline_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "loom/parallelize/footprint.h"

namespace loom::parallelize {
namespace {

struct Pipeline {
  Strategy strategy;
  int micro_batches = 1;
};

void for_all_pipelines(const std::function<void(const Pipeline&, int stage)>& look) {
  for (const auto schedule : {PipelineSchedule::gpipe, PipelineSchedule::one_forward_one_backward,
                              PipelineSchedule::interleaved}) {
    for (int p = 1; p <= 6; ++p) {
      for (int m = 1; m <= 18; ++m) {
        for (int v = 1; v <= 4; ++v) {
          const bool chunks = v > 1;
          if (chunks && (schedule != PipelineSchedule::interleaved || m % p != 0)) continue;
          const Pipeline it = {Strategy{.pipeline = p, .interleave = v, .schedule = schedule}, m};
          SCOPED_TRACE(::testing::Message() << "p " << p << " m " << m << " v " << v);
          for (int stage = 0; stage < p; ++stage) look(it, stage);
        }
      }
    }
  }
}

TEST(PipelineOrder, EveryTaskRunsOnceAndBackwardAfterForward) {
  for_all_pipelines([](const Pipeline& it, int stage) {
    std::set<std::pair<int, int>> forward;
    std::set<std::pair<int, int>> backward;
    for (const PipelineTask& task : stage_order(it.strategy, it.micro_batches, stage)) {
      const std::pair<int, int> id = {task.chunk, task.micro_batch};
      EXPECT_EQ(task.chunk % it.strategy.pipeline, stage);
      EXPECT_LT(task.chunk, it.strategy.pipeline * it.strategy.interleave);
      EXPECT_LT(task.micro_batch, it.micro_batches);
      EXPECT_TRUE((task.forward ? forward : backward).insert(id).second);
      EXPECT_TRUE(forward.contains(id));
    }
    const auto all = static_cast<std::size_t>(it.micro_batches) *
                     static_cast<std::size_t>(it.strategy.interleave);
    EXPECT_EQ(forward.size(), all);
    EXPECT_EQ(backward.size(), all);
  });
}

TEST(PipelineOrder, AsManyChunksAreInFlightAsMemoryCounts) {
  for_all_pipelines([](const Pipeline& it, int stage) {
    int in_flight = 0;
    int peak = 0;
    for (const PipelineTask& task : stage_order(it.strategy, it.micro_batches, stage)) {
      in_flight += task.forward ? 1 : -1;
      peak = std::max(peak, in_flight);
    }
    EXPECT_EQ(in_flight, 0);
    EXPECT_EQ(chunks_in_flight(it.strategy, it.micro_batches, stage), peak);
  });
}

int leading_forwards(const Pipeline& it, int stage) {
  const auto order = stage_order(it.strategy, it.micro_batches, stage);
  const auto first_backward =
      std::find_if(order.begin(), order.end(), [](const PipelineTask& t) { return !t.forward; });
  return static_cast<int>(first_backward - order.begin());
}

// 1F1B warms up with one forward per later stage; Megatron-LM's interleaved schedule with (p -
// stage - 1) · 2 + (v - 1) · p; one more forward precedes the first backward.
TEST(PipelineOrder, WarmsUpAsPublished) {
  for_all_pipelines([](const Pipeline& it, int stage) {
    const int all = it.micro_batches * it.strategy.interleave;
    const int behind = it.strategy.pipeline - stage - 1;
    int warm_up = behind;
    if (it.strategy.interleave > 1) {
      warm_up = 2 * behind + (it.strategy.interleave - 1) * it.strategy.pipeline;
    }
    if (it.strategy.schedule == PipelineSchedule::gpipe) warm_up = all;
    EXPECT_EQ(leading_forwards(it, stage), std::min(all, warm_up + 1));
  });
}

// The neighbor has already run what a stage waits for: running all stages in turn ends.
TEST(PipelineOrder, NoStageDeadlocks) {
  for_all_pipelines([](const Pipeline& it, int stage) {
    if (stage > 0) return;
    const int chunks = it.strategy.pipeline * it.strategy.interleave;
    std::vector<std::vector<PipelineTask>> orders;
    std::vector<std::size_t> next(static_cast<std::size_t>(it.strategy.pipeline), 0);
    for (int s = 0; s < it.strategy.pipeline; ++s) {
      orders.push_back(stage_order(it.strategy, it.micro_batches, s));
    }
    std::set<std::tuple<bool, int, int>> done;
    for (bool any = true; any;) {
      any = false;
      for (std::size_t s = 0; s < orders.size(); ++s) {
        if (next[s] == orders[s].size()) continue;
        const PipelineTask& task = orders[s][next[s]];
        const int before = task.forward ? task.chunk - 1 : task.chunk + 1;
        const bool first = before < 0 || before == chunks;
        if (!first && !done.contains({task.forward, before, task.micro_batch})) continue;
        done.insert({task.forward, task.chunk, task.micro_batch});
        ++next[s];
        any = true;
      }
    }
    EXPECT_EQ(done.size(), static_cast<std::size_t>(2 * chunks * it.micro_batches));
  });
}

TEST(PipelineOrder, OneForwardOneBackwardOfTwoStages) {
  const Strategy strategy{.pipeline = 2};
  const std::vector<PipelineTask> first = {{true, 0, 0}, {true, 0, 1},  {false, 0, 0},
                                           {true, 0, 2}, {false, 0, 1}, {false, 0, 2}};
  EXPECT_EQ(stage_order(strategy, 3, 0), first);
  const std::vector<PipelineTask> last = {{true, 1, 0},  {false, 1, 0}, {true, 1, 1},
                                          {false, 1, 1}, {true, 1, 2},  {false, 1, 2}};
  EXPECT_EQ(stage_order(strategy, 3, 1), last);
}

}  // namespace
}  // namespace loom::parallelize
