// Fluid simulation of the top-ranked strategies of a search.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "loom/fabric/testing.h"
#include "loom/parallelize/testing.h"
#include "loom/plan/strategies.h"

namespace loom::plan {
namespace {

class ConfirmFirst : public ::testing::Test {
 protected:
  ConfirmFirst() {
    spec_.model = parallelize::small_transformer(4);
    spec_.job.batch = 24;
    spec_.accelerator = parallelize::small_accelerator();
    provider_ = std::make_unique<FixedNetworkProvider>(
        std::make_shared<fabric::Network>(fabric::fabric_of(
            "kind: cluster, bandwidth: 25 Gbps, latency: 2 us, gpus_per_server: 4, "
            "inside_bandwidth: 400 Gbps, inside_latency: 500 ns",
            8)),
        spec_.algorithm);
    found_ = search_strategies(spec_, *provider_);
  }

  std::vector<RankedStrategy> confirmed(std::int64_t messages, bool folding,
                                        const std::vector<simulate::LinkChange>& changes = {}) {
    StrategySearch search = found_;
    confirm_first(spec_, *provider_,
                  {messages, folding, 0, [&](const fabric::Network&) { return changes; }}, search);
    return search.ranking;
  }

  Duration simulated(const parallelize::Strategy& strategy,
                     const std::vector<simulate::LinkChange>& changes) {
    const MappedJob job = shard_job(spec_, strategy, *provider_).mapped;
    return iteration_time(
        job.lowered, simulate_fluid(job.lowered.workload, *job.network, changes, {}).operation_end);
  }

  JobSpec spec_;
  std::unique_ptr<NetworkProvider> provider_;
  StrategySearch found_;
};

std::ptrdiff_t count_simulated(const std::vector<RankedStrategy>& ranking) {
  return std::count_if(ranking.begin(), ranking.end(),
                       [](const RankedStrategy& it) { return it.simulated.count() > 0; });
}

TEST_F(ConfirmFirst, FoldingDoesNotDecideWhatIsAffordable) {
  const MappedJob first = shard_job(spec_, found_.ranking.front().strategy, *provider_).mapped;
  ASSERT_LT(2 * simulate::followed_messages(first.lowered.workload, *first.network),
            message_count(first.lowered.workload));
  std::vector<std::ptrdiff_t> counts;
  for (std::int64_t messages = 10; messages < 1'000'000; messages *= 2) {
    const std::vector<RankedStrategy> folded = confirmed(messages, true);
    const std::vector<RankedStrategy> followed = confirmed(messages, false);
    for (std::size_t i = 0; i < folded.size(); ++i) {
      EXPECT_EQ(folded[i].strategy, followed[i].strategy) << messages << " messages";
      EXPECT_EQ(folded[i].simulated, followed[i].simulated) << messages << " messages";
    }
    counts.push_back(count_simulated(folded));
  }
  EXPECT_EQ(counts.front(), 0);
  EXPECT_GE(counts.back(), 2);
}

TEST_F(ConfirmFirst, LinksChangeAsTheyDoInTheRun) {
  const std::vector<simulate::LinkChange> changes = {{TimePoint(), LinkId(0), 1_Gbps},
                                                     {TimePoint(1_ms), LinkId(1), 2_Gbps}};
  const std::vector<RankedStrategy> ranking = confirmed(1'000'000, true, changes);
  ASSERT_GE(count_simulated(ranking), 2);
  for (const RankedStrategy& it : ranking) {
    if (it.simulated.count() == 0) continue;
    EXPECT_EQ(it.simulated, simulated(it.strategy, changes));
    EXPECT_GE(it.simulated, ranking.front().simulated);
  }
}

TEST_F(ConfirmFirst, AStrategyThatDeadlocksIsNotPutFirst) {
  const fabric::Network& network =
      *shard_job(spec_, found_.ranking.front().strategy, *provider_).mapped.network;
  std::vector<simulate::LinkChange> down;
  for (LinkId l(0); l < static_cast<int>(network.links.size()); ++l) {
    down.push_back({TimePoint(), l, {0}});
  }
  const std::vector<RankedStrategy> ranking = confirmed(1'000'000, true, down);
  EXPECT_EQ(count_simulated(ranking), 0);
  EXPECT_EQ(ranking.front().strategy, found_.ranking.front().strategy);
}

}  // namespace
}  // namespace loom::plan
