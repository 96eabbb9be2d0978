// Compares the search with an exhaustive one, and the incremental cost with a fresh evaluation and
// with the fluid engine.
#include "loom/plan/topoopt/mcmc_search.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/testing.h"
#include "loom/parallelize/testing.h"
#include "loom/plan/shard_job.h"
#include "loom/plan/topoopt/co_optimize.h"
#include "loom/simulate/engine.h"

namespace loom::plan {
namespace {

model::Model tiny_recommender(int tables) {
  return model::model_of(fmt::format(
      "model: recommender, tables: {}, rows: 2000, dimension: 64, lookups: 2, dense_features: 64, "
      "bottom: 64, interaction: concatenate, top: 64",
      tables));
}

parallelize::Job job_of(std::int64_t batch) {
  parallelize::Job job;
  job.batch = batch;
  job.bucket = 16_KiB;
  return job;
}

ProvidedNetwork provided_network(const std::string& fabric, int servers) {
  return {std::make_shared<fabric::Network>(fabric::fabric_of(fabric, servers)), plain_ring};
}

const std::vector<std::string> kFabrics = {
    "kind: switch, bandwidth: 10 Gbps, latency: 1 us",
    "kind: torus, shape: 4, bandwidth: 2 Gbps, latency: 500 ns",
    "kind: full_mesh, bandwidth: 1 Gbps, latency: 2 us"};

OperatorConfiguration random_config(const SearchSpace& space, int op, Random& random) {
  OperatorConfiguration config;
  config.partition = static_cast<int>(random(static_cast<std::uint32_t>(space.partitions(op))));
  config.first =
      static_cast<int>(random(static_cast<std::uint32_t>(space.places(op, config.partition))));
  return config;
}

// The shortest time over all configurations of the operators from `op` on.
Duration exhaustive(const SearchSpace& space, ConfigurationCost& cost, int op) {
  if (op == space.operators()) return cost.fits() ? cost.time() : kForever;
  Duration best = kForever;
  for (int c = 0; c < space.partitions(op); ++c) {
    for (int first = 0; first < space.places(op, c); ++first) {
      cost.change(op, {c, first});
      best = std::min(best, exhaustive(space, cost, op + 1));
    }
  }
  return best;
}

std::int64_t choices(const SearchSpace& space) {
  std::int64_t all = 1;
  for (int op = 0; op < space.operators(); ++op) {
    std::int64_t configs = 0;
    for (int c = 0; c < space.partitions(op); ++c) configs += space.places(op, c);
    all *= configs;
  }
  return all;
}

struct Tiny {
  model::Model model;
  int servers = 0;
  std::int64_t batch = 0;
  Bytes memory;
};

std::vector<Tiny> tiny_jobs() {
  return {{model::model_of("model: mlp, inputs: 256, widths: 512x64"), 2, 64, 80_GB},
          {model::model_of("model: mlp, inputs: 256, widths: 512x64"), 3, 30, 80_GB},
          {model::model_of("model: mlp, inputs: 512, widths: 1024"), 4, 8, 80_GB},
          {model::model_of("model: mlp, inputs: 512, widths: 1024"), 4, 4096, 80_GB},
          {model::model_of("model: mlp, inputs: 512, widths: 1024"), 4, 64, 6'000_KB}};
}

TEST(McmcSearch, WithEnoughProposalsFindsTheBestOfAll) {
  int found = 0;
  int cases = 0;
  for (const Tiny& tiny : tiny_jobs()) {
    const parallelize::Job job = job_of(tiny.batch);
    model::Accelerator accelerator = parallelize::small_accelerator();
    accelerator.memory = tiny.memory;
    const SearchSpace space({.model = tiny.model,
                             .job = job,
                             .accelerator = accelerator,
                             .measured = {},
                             .servers = tiny.servers});
    ASSERT_LE(choices(space), 200'000);
    for (const std::string& text : kFabrics) {
      if (text.starts_with("kind: torus") && tiny.servers != 4) continue;
      const auto first = initial_configs(space);
      ASSERT_TRUE(std::holds_alternative<std::vector<OperatorConfigurations>>(first));
      const OperatorConfigurations& start =
          std::get<std::vector<OperatorConfigurations>>(first).front();
      NetworkLoads loads(provided_network(text, tiny.servers));
      ConfigurationCost cost(space, loads, start);
      const Duration best = exhaustive(space, cost, 0);
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        McmcOptions options;
        options.proposals = 20'000;
        options.alpha = 5;
        options.seed = seed;
        const McmcSearch search = mcmc_search(space, loads, start, options);
        EXPECT_EQ(search.time, best) << text << ", " << tiny.servers << " servers, seed " << seed
                                     << ": " << to_text(space, search.configs);
        EXPECT_EQ(search.time, ConfigurationCost(space, loads, search.configs).time());
        EXPECT_EQ(why(space.memory_objection(search.configs)), "no objection");
        found += search.time == best ? 1 : 0;
        ++cases;
      }
    }
  }
  RecordProperty("found", found);
  RecordProperty("cases", cases);
}

TEST(McmcSearch, GivesTheSameWithAnyNumberOfThreads) {
  const model::Model model = tiny_recommender(6);
  const parallelize::Job job = job_of(64);
  const model::Accelerator accelerator = parallelize::small_accelerator();
  const SearchSpace space(
      {.model = model, .job = job, .accelerator = accelerator, .measured = {}, .servers = 4});
  const OperatorConfigurations start = data_parallel_configs(space);
  McmcOptions options;
  options.proposals = 600;
  McmcSearch first;
  for (const int threads : {1, 2, 7}) {
    NetworkLoads loads(provided_network(kFabrics[1], 4));
    options.threads = threads;
    McmcSearch search = mcmc_search(space, loads, start, options);
    EXPECT_EQ(search.proposals, 600);
    if (threads == 1) {
      first = std::move(search);
      continue;
    }
    EXPECT_EQ(search.configs, first.configs);
    EXPECT_EQ(search.time, first.time);
    EXPECT_EQ(search.accepted, first.accepted);
    EXPECT_EQ(search.steps, first.steps);
  }
  EXPECT_LT(first.time, first.steps.front().best);
}

TEST(McmcSearch, OnlyImprovementsAreStepsAndTheyEndAtTheBest) {
  const model::Model model = tiny_recommender(4);
  const parallelize::Job job = job_of(64);
  const model::Accelerator accelerator = parallelize::small_accelerator();
  const SearchSpace space(
      {.model = model, .job = job, .accelerator = accelerator, .measured = {}, .servers = 4});
  NetworkLoads loads(provided_network(kFabrics[0], 4));
  McmcOptions options;
  options.proposals = 500;
  const McmcSearch search = mcmc_search(space, loads, data_parallel_configs(space), options);
  for (std::size_t i = 1; i < search.steps.size(); ++i) {
    EXPECT_LT(search.steps[i].best, search.steps[i - 1].best);
    EXPECT_GT(search.steps[i].proposal, search.steps[i - 1].proposal);
  }
  EXPECT_EQ(search.steps.back().best, search.time);
}

TEST(ConfigurationCost, IncrementalChangesEqualAFreshEvaluation) {
  constexpr std::uint64_t kSeed = 77;
  Random random = random_stream(kSeed);
  for (const model::Model& model :
       {tiny_recommender(5), model::model_of("model: mlp, inputs: 64, widths: 64x32"),
        parallelize::small_transformer(1)}) {
    const parallelize::Job job = job_of(32);
    const model::Accelerator accelerator = parallelize::small_accelerator();
    const SearchSpace space(
        {.model = model, .job = job, .accelerator = accelerator, .measured = {}, .servers = 4});
    NetworkLoads loads(provided_network(kFabrics[1], 4));
    ConfigurationCost cost(space, loads, data_parallel_configs(space));
    for (int i = 0; i < 200; ++i) {
      const int op = static_cast<int>(random(static_cast<std::uint32_t>(space.operators())));
      cost.change({{op, random_config(space, op, random)},
                   {(op + 1) % space.operators(),
                    random_config(space, (op + 1) % space.operators(), random)}});
      if (i % 3 == 0) cost.undo();
      if (i % 10 > 1) continue;
      ConfigurationCost anew(space, loads, cost.configs());
      ASSERT_EQ(cost.time(), anew.time()) << "seed " << kSeed << ", " << model.name << ", " << i;
      ASSERT_EQ(cost.fits(), anew.fits());
    }
  }
}

TEST(SearchSpace, MessagesBySamplesAreThoseOfTheExchange) {
  constexpr std::uint64_t kSeed = 99;
  Random random = random_stream(kSeed);
  const model::Model model = tiny_recommender(3);
  const model::Accelerator accelerator = parallelize::small_accelerator();
  for (const int batch : {7, 24, 64}) {
    const parallelize::Job job = job_of(batch);
    const SearchSpace space(
        {.model = model, .job = job, .accelerator = accelerator, .measured = {}, .servers = 6});
    for (int i = 0; i < 100; ++i) {
      OperatorConfigurations configs;
      for (int op = 0; op < space.operators(); ++op)
        configs.push_back(random_config(space, op, random));
      for (int op = 0; op < space.operators(); ++op) {
        const auto& inputs = space.model().operators[static_cast<std::size_t>(op)].inputs;
        for (std::size_t j = 0; j < inputs.size(); ++j) {
          const auto messages = space.sample_messages(op, j, configs);
          if (!messages) continue;
          const parallelize::Exchange whole = space.exchange(op, j, configs);
          ASSERT_EQ(messages->size(), whole.forward.size()) << "seed " << kSeed << ", case " << i;
          for (std::size_t m = 0; m < messages->size(); ++m) {
            const SearchSpace::Message& it = (*messages)[m];
            EXPECT_EQ(whole.forward[m],
                      (parallelize::Transfer{
                          workload::CollectiveKind::point_to_point, {it.from, it.to}, {it.bytes}}));
            EXPECT_EQ(whole.backward[m],
                      (parallelize::Transfer{
                          workload::CollectiveKind::point_to_point, {it.to, it.from}, {it.bytes}}));
          }
        }
      }
    }
  }
}

// The cost ignores most contention between messages, so it is only close to the engine's time.
TEST(ConfigurationCost, IsCloseToTheFluidEngine) {
  constexpr std::uint64_t kSeed = 5;
  Random random = random_stream(kSeed);
  const model::Model model = tiny_recommender(6);
  const parallelize::Job job = job_of(256);
  const model::Accelerator accelerator = parallelize::small_accelerator();
  const SearchSpace space(
      {.model = model, .job = job, .accelerator = accelerator, .measured = {}, .servers = 4});
  double sum = 0;
  int count = 0;
  for (const std::string& text : kFabrics) {
    const ProvidedNetwork provided = provided_network(text, 4);
    NetworkLoads loads(provided);
    for (int i = 0; i < 20; ++i) {
      OperatorConfigurations configs = data_parallel_configs(space);
      for (int op = 0; op < space.operators(); ++op) {
        const bool table = space.model().operators[static_cast<std::size_t>(op)].tables > 0;
        if (table && random(4) > 0) {
          configs[static_cast<std::size_t>(op)] = space.owned(op, static_cast<int>(random(4)));
        }
      }
      const auto placed = space.placed(configs);
      const place::LoweredJob lowered =
          space.lowered(std::get<place::GroupPlacement>(placed), 1, provided.choose);
      const Duration engine =
          simulate::simulate_fluid(lowered.workload, *provided.network, {}, {}).completion_time;
      const double ratio =
          static_cast<double>(ConfigurationCost(space, loads, configs).time().count()) /
          static_cast<double>(engine.count());
      EXPECT_GT(ratio, 0.6) << text << ", seed " << kSeed << ", case " << i;
      EXPECT_LT(ratio, 1.6) << text << ", seed " << kSeed << ", case " << i;
      sum += ratio;
      ++count;
    }
  }
  EXPECT_NEAR(sum / count, 1, 0.15);
}

TEST(InitialConfigs, SingleServersOwnTablesThatDoNotFitOnAll) {
  const model::Model model = tiny_recommender(8);
  const parallelize::Job job = job_of(64);
  model::Accelerator accelerator = parallelize::small_accelerator();
  accelerator.memory = {9'000'000};  // a table with its state takes more than 2 MB
  const SearchSpace space(
      {.model = model, .job = job, .accelerator = accelerator, .measured = {}, .servers = 4});
  EXPECT_TRUE(space.memory_objection(data_parallel_configs(space)));
  const auto first = initial_configs(space);
  ASSERT_TRUE(std::holds_alternative<std::vector<OperatorConfigurations>>(first));
  for (const OperatorConfigurations& configs :
       std::get<std::vector<OperatorConfigurations>>(first)) {
    EXPECT_EQ(why(space.memory_objection(configs)), "no objection");
  }
  accelerator.memory = {1'000'000};
  const SearchSpace tight(
      {.model = model, .job = job, .accelerator = accelerator, .measured = {}, .servers = 4});
  ASSERT_TRUE(std::holds_alternative<Infeasible>(initial_configs(tight)));
}

TEST(CoOptimize, EndsAfterOneRoundOnAGivenNetwork) {
  const model::Model model = tiny_recommender(6);
  const parallelize::Job job = job_of(64);
  const model::Accelerator accelerator = parallelize::small_accelerator();
  const SearchSpace space(
      {.model = model, .job = job, .accelerator = accelerator, .measured = {}, .servers = 4});
  const ProvidedNetwork provided = provided_network(kFabrics[0], 4);
  McmcOptions options;
  options.proposals = 300;
  const auto found = co_optimize(
      space, [&](const place::LoweredJob&) { return ProvidedNetwork(provided); }, options);
  const auto& it = std::get<CoOptimized>(found);
  EXPECT_EQ(it.rounds.size(), 1U);
  EXPECT_LE(it.predicted, it.rounds.front().before);
  EXPECT_EQ(it.predicted, it.rounds.front().found);
}

}  // namespace
}  // namespace loom::plan
