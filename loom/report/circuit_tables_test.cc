#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "loom/report/tables.h"
#include "loom/run/network_use.h"
#include "loom/run/run.h"

namespace loom::report {
namespace {

run::Report run_text(const std::string& text) {
  return run::run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
}

TEST(NetworkUse, ARingWithItsOwnCircuitsForwardsNothing) {
  const run::Report result = run_text(
      "workload: {collective: all_reduce, size: 8 MB, algorithm: ring}\ngpus: 8\n"
      "fabric: {kind: topoopt, degree: 2, bandwidth: 200 Gbps}\n");
  ASSERT_TRUE(result.use);
  EXPECT_NEAR(result.use->bandwidth_tax, 1, 1e-6);
  ASSERT_EQ(result.use->hop_shares.size(), 1U);
  EXPECT_DOUBLE_EQ(result.use->hop_shares.front(), 1);
  ASSERT_TRUE(result.bound);
  // The two rings keep every circuit busy all the time.
  EXPECT_GE(run::gap(result.time(), result.bound->time()), 1);
  EXPECT_LT(run::gap(result.time(), result.bound->time()), 1.01);
}

TEST(NetworkUse, ForwardedBytesAreCarriedOncePerHop) {
  const run::Report result = run_text(
      "workload: {collective: all_to_all, size: 8 MB, algorithm: direct}\ngpus: 8\n"
      "fabric: {kind: topoopt, degree: 2, bandwidth: 200 Gbps}\n");
  ASSERT_TRUE(result.use);
  EXPECT_GT(result.use->bandwidth_tax, 1.5);
  EXPECT_NEAR(result.use->bandwidth_tax, result.use->mean_hops, 1e-3);
  const auto& shares = result.use->hop_shares;
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
  EXPECT_GE(run::gap(result.time(), result.bound->time()), 1);
  for (std::size_t i = 1; i < result.use->link_loads.size(); ++i) {
    EXPECT_LE(result.use->link_loads[i - 1].second, result.use->link_loads[i].second);
  }
}

const std::string kSearched =
    "workload: {model: recommender, tables: 6, rows: 100000, dimension: 32, lookups: 4, "
    "dense_features: 64, bottom: 64x32, top: 128x64, batch: 64, partition: co_optimized, "
    "proposals: 200, rounds: 2}\ngpus: 4\naccelerator: a100\n"
    "fabric: {kind: topoopt, degree: 2, bandwidth: 20 Gbps, latency: 1 us}\n";

TEST(CoOptimizedJob, ReportsItsStrategyAndItsDistanceFromTheBound) {
  const run::Report result = run_text(kSearched);
  ASSERT_FALSE(result.infeasible);
  ASSERT_TRUE(result.as<run::TrainingReport>() && result.as<run::TrainingReport>()->search_report &&
              result.use && result.bound);
  EXPECT_EQ(result.engine, scenario::Engine::fluid);
  const plan::SearchReport& report = *result.as<run::TrainingReport>()->search_report;
  EXPECT_FALSE(report.rounds.empty());
  for (const plan::SearchRound& it : report.rounds) EXPECT_LE(it.found, it.before);
  EXPECT_GE(run::gap(result.time(), result.bound->time()), 1);
  const auto json = report_json(result);
  EXPECT_TRUE(json.contains("lower_bound"));
  EXPECT_TRUE(json.contains("gap"));
  EXPECT_EQ(json["configurations"].size(), report.operators.size());
  EXPECT_TRUE(json["link_loads"].contains("p50"));
}

TEST(CoOptimizedJob, IsReproducible) {
  EXPECT_EQ(report_text(run_text(kSearched)), report_text(run_text(kSearched)));
}

TEST(CoOptimizedJob, RunsOnAGivenNetworkToo) {
  std::string text = kSearched;
  text.replace(text.find("kind: topoopt, degree: 2"), 24, "kind: switch");
  const run::Report result = run_text(text);
  ASSERT_FALSE(result.infeasible);
  EXPECT_EQ(result.as<run::TrainingReport>()->search_report->rounds.size(), 1U);
  EXPECT_FALSE(result.use);
}

}  // namespace
}  // namespace loom::report
