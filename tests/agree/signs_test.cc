// Changes that must not make a plan slower: more bandwidth, less oversubscription, an ideal switch
// in place of another fabric, overlap, and a choice instead of a fixed algorithm.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loom/run/run.h"
#include "loom/run/testing.h"

namespace loom {
namespace {

Duration time_of(const std::string& workload, int gpus, const std::string& fabric) {
  const std::string text = fmt::format(
      "workload: {{{}}}\ngpus: {}\naccelerator: h100\nfabric: {{{}}}\n", workload, gpus, fabric);
  const run::Report report =
      run::run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
  EXPECT_FALSE(report.infeasible) << report.infeasible->why;
  return report.time();
}

void expect_no_slower(Duration better, Duration worse, double tolerance, const std::string& what) {
  EXPECT_LE(seconds(better), seconds(worse) * (1 + tolerance)) << what;
}

const std::string kLlama =
    "model: llama3-70b, batch: 512, tensor: 2, pipeline: 4, micro_batch: 1, interleave: 10, "
    "recompute: full";
const std::string kTree = "kind: fat_tree, radix: 32, bandwidth: 400 Gbps, latency: 500 ns";
const std::string kSwitch = "kind: switch, bandwidth: 400 Gbps, latency: 500 ns";

TEST(Signs, LessOversubscriptionIsNoSlower) {
  const Duration ideal = time_of(kLlama, 512, kSwitch);
  Duration before = ideal;
  for (const int oversubscription : {1, 2, 4, 8}) {
    const Duration now =
        time_of(kLlama, 512, fmt::format("{}, oversubscription: {}", kTree, oversubscription));
    expect_no_slower(before, now, 0.01, fmt::format("oversubscription {}", oversubscription));
    before = now;
  }
}

TEST(Signs, OverlappingGradientsIsNoSlowerThanWaiting) {
  for (const std::string& fabric : {kSwitch, kTree + ", oversubscription: 4"}) {
    expect_no_slower(time_of(kLlama, 512, fabric),
                     time_of(kLlama + ", overlap_gradients: false", 512, fabric), 0.01, fabric);
  }
}

TEST(Signs, ChosenAlgorithmsAreNoSlowerThanAnyForAllCollectives) {
  const std::string dlrm = "model: dlrm, batch: 4096, tensor: 1, pipeline: 1, micro_batch: 64";
  const std::string llama = "model: llama3-8b, batch: 64, tensor: 4, pipeline: 2, micro_batch: 1";
  for (const std::string& job : {dlrm, llama}) {
    for (const std::string fabric :
         {"kind: switch, bandwidth: 400 Gbps, latency: 1 us",
          "kind: fat_tree, radix: 8, bandwidth: 400 Gbps, latency: 500 ns, oversubscription: 2",
          "kind: torus, shape: 4x4x4, bandwidth: 100 Gbps, latency: 500 ns"}) {
      const Duration chosen = time_of(job, 64, fabric);
      for (const std::string algorithm :
           {"ring", "bidirectional_ring", "direct", "halving_doubling"}) {
        expect_no_slower(chosen,
                         time_of(fmt::format("{}, algorithm: {}", job, algorithm), 64, fabric),
                         0.02, fmt::format("{} by {} on {}", job, algorithm, fabric));
      }
    }
  }
}

// The fluid time of the strategy that the search chooses on this network.
Duration planned_time(const run::RandomJob& job, const fabric::Network& network) {
  plan::FixedNetworkProvider provider(std::make_shared<fabric::Network>(network), std::nullopt);
  plan::StrategySearch search = search_strategies(job.spec, provider);
  if (search.ranking.empty()) return kForever;
  confirm_first(job.spec, provider, {2'000'000}, search);
  const plan::ShardedJob sharded = shard_job(job.spec, search.ranking.front().strategy, provider);
  const place::LoweredJob& lowered = sharded.mapped.lowered;
  return plan::iteration_time(
      lowered, simulate::simulate_fluid(lowered.workload, network, {}, {}).operation_end);
}

TEST(Signs, TwiceTheBandwidthIsNoSlower) {
  for (std::uint64_t seed = 8000; seed < 8100; ++seed) {
    const run::RandomJob job = run::random_job(seed);
    fabric::Network faster = job.network;
    for (fabric::Link& it : faster.links) it.bandwidth.bits_per_second *= 2;
    const Duration now = planned_time(job, job.network);
    if (now == kForever) continue;
    expect_no_slower(planned_time(job, faster), now, 0.01,
                     fmt::format("seed {}: {}", seed, to_text(job)));
  }
}

}  // namespace
}  // namespace loom
