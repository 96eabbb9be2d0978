// Compares the search with estimating every strategy, and lower bounds with estimates.
#include "loom/plan/strategies.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <tuple>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/testing.h"
#include "loom/parallelize/testing.h"
#include "loom/plan/auto_planner.h"
#include "loom/plan/bound_strategy.h"

namespace loom::plan {
namespace {

model::Model small_model(std::size_t kind) {
  switch (kind) {
    case 0:
      return parallelize::small_transformer(4);
    case 1:
      return parallelize::small_mixture(2, ", attention: fused");
    case 2:
      return model::model_of("model: mlp, inputs: 512, widths: 512x512x512x128x4096x4096");
    case 3:
      return model::model_of("model: resnet-50, image: 64");
    default:
      return model::model_of(
          "model: transformer, layers: 3, hidden: 128, heads: 4, vocabulary: 2048, sequence: 16, "
          "positions: 16");
  }
}

JobSpec spec_of(const model::Model& model, int batch) {
  JobSpec spec;
  spec.model = model;
  spec.job.batch = batch;
  spec.accelerator = parallelize::small_accelerator();
  return spec;
}

struct Fabric {
  std::string text;
  int devices = 0;
};

std::vector<Fabric> fabrics() {
  return {{"kind: switch, bandwidth: 100 Gbps, latency: 1 us", 4},
          {"kind: switch, bandwidth: 10 Gbps, latency: 100 ns", 6},
          {"kind: cluster, bandwidth: 25 Gbps, latency: 2 us, gpus_per_server: 4, "
           "inside_bandwidth: 400 Gbps, inside_latency: 500 ns",
           8},
          {"kind: cluster, bandwidth: 25 Gbps, latency: 2 us, gpus_per_server: 4, "
           "inside_bandwidth: 400 Gbps, inside_latency: 500 ns",
           12},
          {"kind: torus, shape: 2x4, bandwidth: 50 Gbps, latency: 200 ns", 8},
          {"kind: leaf_spine, gpus_per_leaf: 4, spines: 2, routing: ecmp, bandwidth: 50 Gbps, "
           "latency: 200 ns",
           8}};
}

FixedNetworkProvider provider_of(const JobSpec& spec, const fabric::Network& network) {
  return {std::make_shared<fabric::Network>(network), spec.algorithm};
}

// Also handles circuit fabrics.
std::unique_ptr<NetworkProvider> any_provider(const Fabric& fabric, const JobSpec& spec) {
  const fabric::FabricSpec read =
      fabric::read_fabric(parse_yaml("{" + fabric.text + "}", "test.yaml"));
  const fabric::FabricContext context{fabric.devices, 1};
  if (read.kind->circuits != nullptr) {
    return std::make_unique<CircuitProvider>(build_circuits(read, context), spec.algorithm);
  }
  return std::make_unique<FixedNetworkProvider>(
      std::make_shared<fabric::Network>(build_network(read, context)), spec.algorithm);
}

StrategySearch search_on(const JobSpec& spec, const fabric::Network& network) {
  FixedNetworkProvider provider = provider_of(spec, network);
  return search_strategies(spec, provider);
}

Duration cheapest(const JobSpec& spec, const fabric::Network& network) {
  FixedNetworkProvider provider = provider_of(spec, network);
  Duration best = kForever;
  for (const parallelize::Strategy& it : possible_strategies(spec, network.devices).all) {
    const parallelize::ShardedModel sharded =
        shard(spec.model, spec.job, it, spec.accelerator, spec.measured);
    const bool fits = std::all_of(sharded.memory.begin(), sharded.memory.end(),
                                  [&](const parallelize::StageMemory& memory) {
                                    return memory.total() <= spec.accelerator.memory;
                                  });
    if (fits) best = std::min(best, estimate_strategy(spec, it, provider));
  }
  return best;
}

void expect_best(const JobSpec& spec, const Fabric& fabric) {
  const fabric::Network network = fabric::fabric_of(fabric.text, fabric.devices);
  const StrategySearch search = search_on(spec, network);
  ASSERT_FALSE(search.ranking.empty()) << why(search.objection);
  EXPECT_EQ(search.ranking.front().predicted, cheapest(spec, network))
      << spec.model.name << " on " << fabric.text << ": "
      << to_text(search.ranking.front().strategy);
}

// With zero and recomputation fixed, so that all strategies can be estimated in a test.
TEST(Strategies, TheBestIsTheBestOfAllEstimates) {
  for (std::size_t kind = 0; kind < 5; ++kind) {
    for (const Fabric& fabric : fabrics()) {
      JobSpec spec = spec_of(small_model(kind), 24);
      spec.choice.zero = 1;
      spec.choice.context = 1;
      spec.choice.recompute = parallelize::Recompute::none;
      spec.choice.order = parallelize::Strategy{}.order;
      expect_best(spec, fabric);
    }
  }
}

TEST(Strategies, TheBestIsTheBestOfAllEstimatesIfNothingIsFixed) {
  for (const std::size_t kind : {0, 1, 4}) {
    for (const std::size_t fabric : {0, 2}) {
      JobSpec spec = spec_of(small_model(kind), 8);
      spec.choice.micro_batch = 2;
      spec.choice.interleave = 1;
      expect_best(spec, fabrics()[fabric]);
    }
  }
}

TEST(Strategies, TheBestIsTheBestOfAllEstimatesInAnyOrder) {
  for (const std::size_t kind : {0, 1, 2}) {
    for (const std::size_t fabric : {2, 4}) {
      JobSpec spec = spec_of(small_model(kind), 8);
      spec.choice.micro_batch = 1;
      spec.choice.zero = 0;
      spec.choice.recompute = parallelize::Recompute::none;
      expect_best(spec, fabrics()[fabric]);
    }
  }
}

// Samples strategies of random jobs until there are `wanted` of them.
void for_random_candidates(std::size_t wanted,
                           const std::function<void(const JobSpec&, const parallelize::Strategy&,
                                                    const fabric::Network&)>& look) {
  std::size_t count = 0;
  for (std::uint64_t seed = 0; count < wanted; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 7);
    const std::vector<Fabric> all = fabrics();
    const Fabric& fabric = all[random(static_cast<std::uint32_t>(all.size()))];
    const fabric::Network network = fabric::fabric_of(fabric.text, fabric.devices);
    JobSpec spec = spec_of(small_model(random(5)), 24);
    spec.job.overlap_gradients = random(2) == 0;
    spec.job.overlap_pipeline = random(2) == 0;
    spec.job.bucket = random(2) == 0 ? 100_KB : 25_MiB;
    spec.accelerator.launch = random(2) == 0 ? 1_us : 10_us;
    if (random(2) == 0) {  // communication dominates
      spec.accelerator.peak.fill({100'000'000'000'000});
      spec.accelerator.memory_bandwidth = {80'000'000'000'000};
    }
    if (random(2) == 0) spec.choice.schedule = parallelize::PipelineSchedule::gpipe;
    const auto [strategies, objection] = possible_strategies(spec, network.devices);
    ASSERT_FALSE(strategies.empty()) << why(objection);
    for (int i = 0; i < 8; ++i, ++count) {
      look(spec, strategies[random(static_cast<std::uint32_t>(strategies.size()))], network);
    }
  }
}

TEST(Strategies, NoEstimateIsBelowItsBound) {
  for_random_candidates(600, [](const JobSpec& spec, const parallelize::Strategy& it,
                                const fabric::Network& network) {
    FixedNetworkProvider provider = provider_of(spec, network);
    const parallelize::ShardedModel sharded =
        shard(spec.model, spec.job, it, spec.accelerator, spec.measured);
    const Duration bound = bound_strategy(sharded, provider);
    EXPECT_LE(bound, estimate_strategy(spec, it, provider))
        << spec.model.name << " by " << to_text(it) << " on " << network.devices << " devices";
    EXPECT_GT(bound.count(), 0);
  });
}

TEST(Strategies, PossibleStrategiesAreDistinctAndAllowed) {
  for (std::size_t kind = 0; kind < 5; ++kind) {
    const JobSpec spec = spec_of(small_model(kind), 24);
    const std::vector<parallelize::Strategy> all = possible_strategies(spec, 12).all;
    ASSERT_FALSE(all.empty());
    std::set<std::string> texts;
    for (const parallelize::Strategy& it : all) {
      EXPECT_EQ(why(parallelize::objection(spec.model, spec.job, it)), "no objection");
      EXPECT_EQ(it.devices(), 12);
      EXPECT_TRUE(texts.insert(to_text(it)).second) << to_text(it);
    }
  }
}

TEST(Strategies, ChoicesOfTheUserAreKept) {
  JobSpec spec = spec_of(parallelize::small_transformer(4), 16);
  spec.choice.tensor = 2;
  spec.choice.zero = 2;
  spec.choice.recompute = parallelize::Recompute::full;
  spec.choice.micro_batch = 2;
  const std::vector<parallelize::Strategy> all = possible_strategies(spec, 8).all;
  ASSERT_FALSE(all.empty());
  for (const parallelize::Strategy& it : all) {
    EXPECT_EQ(it.tensor, 2);
    EXPECT_EQ(it.zero, 2);
    EXPECT_EQ(it.recompute, parallelize::Recompute::full);
    EXPECT_EQ(it.micro_batch, 2);
  }
}

TEST(Strategies, IfNoneIsPossibleTheFirstReasonIsGiven) {
  JobSpec spec = spec_of(parallelize::small_transformer(4), 16);
  spec.choice.tensor = 3;
  const fabric::Network network = fabric::fabric_of("kind: switch, bandwidth: 1 Gbps", 8);
  const StrategySearch search = search_on(spec, network);
  EXPECT_TRUE(search.ranking.empty());
  EXPECT_FALSE(search.smallest.has_value());
  EXPECT_EQ(why(search.objection),
            "tensor 3 × pipeline 1 × context 1 on 8 devices; the product must divide the number "
            "of devices");
}

TEST(Strategies, ChunksNeedStages) {
  JobSpec spec = spec_of(parallelize::small_transformer(4), 16);
  spec.choice.interleave = 2;
  const std::vector<parallelize::Strategy> found = possible_strategies(spec, 4).all;
  ASSERT_FALSE(found.empty());
  for (const parallelize::Strategy& it : found) EXPECT_GT(it.pipeline, 1) << to_text(it);
  spec.choice.pipeline = 1;
  const PossibleStrategies none = possible_strategies(spec, 4);
  EXPECT_TRUE(none.all.empty());
  EXPECT_EQ(why(none.objection), "2 chunks on one stage; at least two stages are needed");
}

TEST(Strategies, AModelWithoutASequenceIsNotPartitionedAlongIt) {
  JobSpec spec =
      spec_of(model::build_model(model::read_model(parse_yaml("{model: vgg-16}", "s.yaml"))), 16);
  spec.choice.sequence_parallel = true;
  for (const parallelize::Strategy& it : possible_strategies(spec, 8).all) {
    EXPECT_FALSE(it.sequence_parallel) << to_text(it);
  }
}

// A group inside a server and one across two servers have different estimates.
TEST(Strategies, ThePredictedTimeIsThatOfTheEngineIfStagesSplitServers) {
  JobSpec spec = spec_of(parallelize::small_transformer(4), 24);
  spec.choice.tensor = 1;
  spec.choice.pipeline = 2;
  const fabric::Network network = fabric::fabric_of(
      "kind: cluster, gpus_per_server: 4, inside_bandwidth: 800 Gbps, bandwidth: 10 Gbps", 12);
  const StrategySearch search = search_on(spec, network);
  ASSERT_FALSE(search.ranking.empty());
  FixedNetworkProvider fresh = provider_of(spec, network);
  EXPECT_EQ(estimate_strategy(spec, search.ranking.front().strategy, fresh),
            search.ranking.front().predicted);
}

TEST(Strategies, IfNoneFitsTheSmallestIsNamed) {
  JobSpec spec = spec_of(parallelize::small_transformer(4), 16);
  spec.accelerator.memory = 10_KB;
  const fabric::Network network = fabric::fabric_of("kind: switch, bandwidth: 1 Gbps", 8);
  const StrategySearch search = search_on(spec, network);
  EXPECT_TRUE(search.ranking.empty());
  EXPECT_EQ(search.estimated, 0U);
  ASSERT_TRUE(search.smallest.has_value());
  Bytes lowest_peak = kLargestSize;
  for (const parallelize::Strategy& it : possible_strategies(spec, 8).all) {
    Bytes peak;
    for (const parallelize::StageMemory& memory : sharded(spec.model, spec.job, it).memory) {
      peak = std::max(peak, memory.total());
    }
    lowest_peak = std::min(lowest_peak, peak);
  }
  EXPECT_EQ(search.smallest->memory, lowest_peak);
}

// Memory decides: the fastest strategy that fits is chosen, not the fastest of all.
TEST(Strategies, StrategiesThatDoNotFitAreNotRanked) {
  JobSpec spec = spec_of(parallelize::small_transformer(4), 16);
  spec.accelerator.memory = 3_MB;
  const fabric::Network network = fabric::fabric_of("kind: switch, bandwidth: 100 Gbps", 4);
  const StrategySearch search = search_on(spec, network);
  ASSERT_FALSE(search.ranking.empty());
  EXPECT_LT(search.ranking.size(), search.possible);
  for (const RankedStrategy& it : search.ranking) EXPECT_LE(it.memory, spec.accelerator.memory);
  EXPECT_EQ(search.ranking.front().predicted, cheapest(spec, network));
}

TEST(Strategies, TheRankingIsSortedAndReproducible) {
  const JobSpec spec = spec_of(parallelize::small_mixture(2), 8);
  const fabric::Network network = fabric::fabric_of(fabrics()[2].text, 8);
  const StrategySearch search = search_on(spec, network);
  const StrategySearch again = search_on(spec, network);
  ASSERT_EQ(search.ranking.size(), again.ranking.size());
  for (std::size_t i = 0; i < search.ranking.size(); ++i) {
    const RankedStrategy& it = search.ranking[i];
    EXPECT_EQ(it.strategy, again.ranking[i].strategy);
    EXPECT_EQ(it.predicted, again.ranking[i].predicted);
    EXPECT_EQ(it.predicted.count() > 0, i < search.estimated);
    if (i == 0 || i == search.estimated) continue;
    const RankedStrategy& before = search.ranking[i - 1];
    EXPECT_LE(i < search.estimated ? before.predicted : before.bound,
              i < search.estimated ? it.predicted : it.bound);
  }
}

void expect_same(const StrategySearch& one, const StrategySearch& other) {
  EXPECT_EQ(one.possible, other.possible);
  EXPECT_EQ(one.estimated, other.estimated);
  EXPECT_EQ(why(one.objection), why(other.objection));
  EXPECT_EQ(one.smallest.has_value(), other.smallest.has_value());
  ASSERT_EQ(one.ranking.size(), other.ranking.size());
  for (std::size_t i = 0; i < one.ranking.size(); ++i) {
    const RankedStrategy& a = one.ranking[i];
    const RankedStrategy& b = other.ranking[i];
    EXPECT_EQ(a.strategy, b.strategy);
    EXPECT_EQ(std::tie(a.memory, a.bound, a.predicted, a.simulated),
              std::tie(b.memory, b.bound, b.predicted, b.simulated))
        << to_text(a.strategy);
  }
}

// Networks and circuits, with individually partitioned operators too; on the circuits, some choices
// of algorithms are infeasible.
TEST(Strategies, AnyNumberOfThreadsFindsTheSame) {
  std::vector<Fabric> all = fabrics();
  all.push_back({"kind: sip_ocs, switches: 4, bandwidth: 200 Gbps, latency: 1 us", 8});
  all.push_back({"kind: sip_ring, bandwidth: 200 Gbps, reach: 3, latency: 1 us", 8});
  for (const Fabric& fabric : all) {
    SCOPED_TRACE(fabric.text);
    JobSpec spec = spec_of(small_model(fabric.devices % 3 == 0 ? 1 : 0), 24);
    spec.choice.planner = &kAutoPlanner;
    spec.choice.recompute = parallelize::Recompute::none;
    const auto found = [&](int threads) {
      const std::unique_ptr<NetworkProvider> provider = any_provider(fabric, spec);
      StrategySearch search = search_strategies(spec, *provider, {threads});
      confirm_first(spec, *provider, {100'000, true, threads}, search);
      return search;
    };
    const StrategySearch one = found(1);
    for (const int threads : {2, 4, 16}) expect_same(one, found(threads));
  }
}

TEST(Strategies, AnyNumberOfThreadsFindsTheSameBatch) {
  for (const int threads : {1, 4}) {
    JobSpec spec = spec_of(parallelize::small_transformer(4), 1);
    spec.law = model::AccuracyLaw{.iterations = model::CriticalBatch{1000, 64}};
    spec.choice.zero = 1;
    JobSpec other = spec;
    const std::unique_ptr<NetworkProvider> provider = any_provider(fabrics()[0], spec);
    const std::unique_ptr<NetworkProvider> fresh = any_provider(fabrics()[0], spec);
    expect_same(search_batches(spec, *provider, {1}), search_batches(other, *fresh, {threads}));
    EXPECT_EQ(spec.job.batch, other.job.batch);
  }
}

// A cached estimate must not depend on which stage asked first: ECMP samples the paths over the
// spines at random, per device.
TEST(Strategies, AnEstimateOfACollectiveDoesNotDependOnWhoAskedFirst) {
  const fabric::Network network = fabric::fabric_of(
      "kind: leaf_spine, gpus_per_leaf: 4, spines: 3, routing: ecmp, bandwidth: 50 Gbps", 64);
  workload::Collective wanted;
  wanted.kind = workload::CollectiveKind::all_reduce;
  wanted.size = 10_MB;
  const auto groups = [](int first) {
    workload::Groups all{8, {}};
    for (int m = 0; m < 16; ++m) all.members.push_back(first + m);
    return all;
  };
  JobCollectives forth(network, std::nullopt);
  JobCollectives back(network, std::nullopt);
  for (int at = 0; at < 4; ++at) {
    forth.choose(wanted, groups(16 * at));
    back.choose(wanted, groups(48 - 16 * at));
  }
  EXPECT_EQ(forth.choose(wanted, groups(0)).predicted, back.choose(wanted, groups(0)).predicted);
}

}  // namespace
}  // namespace loom::plan
