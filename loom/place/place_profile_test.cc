#include "loom/place/place_profile.h"

#include <gtest/gtest.h>

#include <set>

#include "loom/base/testing.h"
#include "loom/parallelize/profile_partitioner.h"
#include "loom/place/testing.h"
#include "loom/workload/demand.h"

namespace loom::place {
namespace {

// A linear function of the samples, measured at 1 and 101: a constant plus a time per sample.
struct Line {
  std::int64_t fixed = 0;
  std::int64_t each = 0;
};

void add(model::ProfiledGraph& graph, const std::string& name, Line microseconds, Line bytes,
         std::vector<model::ProfiledInput> inputs) {
  model::ProfiledOperator it{.name = name, .inputs = std::move(inputs)};
  for (const std::int64_t batch : {1, 101}) {
    it.times.push_back(1_us * (microseconds.fixed + batch * microseconds.each));
    it.outputs.push_back({bytes.fixed + batch * bytes.each});
  }
  graph.operators.push_back(std::move(it));
}

// Forward, backward and the gradient of a variable of 1000 bytes.
model::ProfiledGraph small_graph() {
  model::ProfiledGraph graph;
  graph.source = "m";
  graph.batches = {1, 101};
  add(graph, "forward", {0, 10}, {0, 100}, {});
  add(graph, "gradient", {0, 10}, {1000, 0}, {{0, true}});
  graph.variables = {{"w", {1000_B, 1000_B}, {1}, {0, 1}}};
  return graph;
}

std::string text_of(const model::ProfiledGraph& graph, std::int64_t batch,
                    const OperatorPlan& plan) {
  const auto placed = place_profile(graph, batch, plan, usual);
  return to_text(std::get<PlacedJob>(placed).lowered.workload);
}

TEST(PlaceProfile, GroupsOfOneAreDataParallelAndSumWhileTheRestIsComputed) {
  model::ProfiledGraph graph = small_graph();
  add(graph, "last", {0, 10}, {0, 1}, {{0, true}});
  EXPECT_EQ(text_of(graph, 6, {.group = 1, .replicas = 4}), R"(devices: 4
groups:
  - {name: g0, size: 1, members: 0-3}
  - {name: g1, size: 4, members: 0-3}
operations:
  - {name: compute.forward.0, compute: 15 us, groups: g0}
  - {name: compute.gradient.1, compute: 15 us, groups: g0, after: compute.forward.0}
  - {name: data.w.2, collective: all_reduce, algorithm: ring, size: 1 kB, groups: g1, after: compute.gradient.1}
  - {name: compute.last.3, compute: 15 us, groups: g0, after: compute.gradient.1}
)");
}

TEST(PlaceProfile, PartitioningBySamplesHalvesTheBatchAndAlsoSumsInsideTheGroup) {
  EXPECT_EQ(text_of(small_graph(), 8, {.group = 2, .replicas = 2}), R"(devices: 4
groups:
  - {name: g0, size: 1, members: 0-3}
  - {name: g1, size: 2, members: 0-3}
  - {name: g2, size: 2, members: "0,2"}
  - {name: g3, size: 2, members: "1,3"}
operations:
  - {name: compute.forward.0, compute: 20 us, groups: g0}
  - {name: compute.gradient.1, compute: 20 us, groups: g0, after: compute.forward.0}
  - {name: data.w.2, collective: reduce_scatter, algorithm: ring, size: 1 kB, groups: g1, after: compute.gradient.1}
  - {name: data.w.3, collective: all_reduce, algorithm: ring, size: 500 B, groups: g2, after: data.w.2}
  - {name: data.w.4, collective: all_reduce, algorithm: ring, size: 500 B, groups: g3, after: data.w.2}
  - {name: data.w.5, collective: all_gather, algorithm: ring, size: 1 kB, groups: g1, after: data.w.3 data.w.4}
)");
}

TEST(PlaceProfile, AVariableWithUnknownUsersIsSummedOverTheCompleteGroup) {
  model::ProfiledGraph graph = small_graph();
  graph.variables.front().users.clear();
  const OperatorPlan plan{.group = 2, .quantum = 1000_ms};  // nothing is partitioned
  const auto placed = place_profile(graph, 8, plan, usual);
  EXPECT_EQ(traffic_of(std::get<PlacedJob>(placed).lowered),
            (std::vector<Traffic>(2, {{"data all_reduce", 1000}})));
}

TEST(PlaceProfile, AVariableUsedOnOneDeviceIsSummedOnlyOverReplicas) {
  const OperatorPlan plan{.group = 2, .replicas = 2, .quantum = 1000_ms};
  const auto placed = place_profile(small_graph(), 8, plan, usual);
  const std::vector<Traffic> traffic = traffic_of(std::get<PlacedJob>(placed).lowered);
  EXPECT_EQ(traffic, (std::vector<Traffic>{
                         {{"data all_reduce", 1000}}, {}, {{"data all_reduce", 1000}}, {}}));
}

TEST(PlaceProfile, NoShardIsShorterThanTheQuantum) {
  const model::ProfiledGraph graph = small_graph();
  const parallelize::ProfilePartitioner partitioner(graph, 8, 20_us);
  EXPECT_EQ(partitioner.finest(0, 8), 4);  // two samples each take 20 us
  EXPECT_EQ(parallelize::ProfilePartitioner(graph, 8, 80_us).finest(0, 8), 1);
  EXPECT_EQ(parallelize::ProfilePartitioner(graph, 8, 0_us).finest(0, 8), 8);
  EXPECT_EQ(parallelize::ProfilePartitioner(graph, 4, 0_us).finest(0, 8), 4);
}

TEST(PlaceProfile, AShardTakesTheTimeMeasuredForItsSamples) {
  model::ProfiledGraph graph = small_graph();
  add(graph, "slow_start", {30, 2}, {0, 1}, {});
  const parallelize::PartitionedOperator partitioned =
      parallelize::ProfilePartitioner(graph, 10, 0_us).partition(2, 3);
  ASSERT_EQ(partitioned.shards.size(), 3U);
  EXPECT_EQ(partitioned.shards[0].forward, 38_us);  // four samples
  EXPECT_EQ(partitioned.shards[1].forward, 36_us);
  EXPECT_EQ(partitioned.shards[2].forward, 36_us);
}

TEST(PlaceProfile, AnOutputThatDoesNotGrowWithTheBatchIsSummed) {
  const model::ProfiledGraph graph = small_graph();
  const parallelize::ProfilePartitioner partitioner(graph, 8, 0_us);
  EXPECT_FALSE(partitioner.partition(0, 2).sums);
  EXPECT_EQ(elements(partitioner.partition(0, 2).shards[0].output), 400);
  EXPECT_TRUE(partitioner.partition(1, 2).sums);
  EXPECT_EQ(elements(partitioner.partition(1, 2).shards[0].output), 1000);
  EXPECT_TRUE(partitioner.partition(1, 2).shared);
}

TEST(PlaceProfile, AnOperatorThatDoesNotScaleWithSamplesIsNotPartitioned) {
  model::ProfiledGraph graph = small_graph();
  add(graph, "update", {100, 0}, {1000, 0}, {{1, true}});
  EXPECT_EQ(parallelize::ProfilePartitioner(graph, 8, 0_us).finest(2, 8), 1);
}

TEST(PlaceProfile, OnlyIntegerBatchesArePartitioned) {
  const model::ProfiledGraph graph = small_graph();
  EXPECT_EQ(parallelize::ProfilePartitioner(graph, 2.5, 0_us).finest(0, 8), 1);
}

TEST(PlaceProfile, BranchesThatCannotBePartitionedGoToSeparateDevices) {
  model::ProfiledGraph graph;
  graph.source = "m";
  graph.batches = {1, 101};
  add(graph, "start", {1, 0}, {8, 0}, {});
  add(graph, "left", {100, 0}, {8, 0}, {{0, true}});
  add(graph, "right", {100, 0}, {8, 0}, {{0, true}});
  const auto placed = place_profiled_group(graph, 4, {.group = 2});
  const auto& group = std::get<GroupPlacement>(placed);
  EXPECT_NE(group.devices[1], group.devices[2]);
}

TEST(PlaceProfile, UsersOfAVariableShareADeviceAndVariablesAreSpread) {
  model::ProfiledGraph graph;
  graph.source = "m";
  graph.batches = {1, 101};
  const std::vector<std::string> names = {"forward0", "forward1", "gradient1", "gradient0"};
  for (int op = 0; op < 4; ++op) {
    std::vector<model::ProfiledInput> inputs;
    if (op > 0) inputs.push_back({op - 1, true});
    add(graph, names[static_cast<std::size_t>(op)], {20, 0}, {8, 0}, std::move(inputs));
  }
  graph.variables = {{"w1", {9_MB, 9_MB}, {2}, {1, 2}}, {"w0", {9_MB, 9_MB}, {3}, {0, 3}}};
  const auto placed = place_profiled_group(graph, 4, {.group = 2, .replicas = 2});
  const auto& devices = std::get<GroupPlacement>(placed).devices;
  EXPECT_EQ(devices[0], devices[3]);
  EXPECT_EQ(devices[1], devices[2]);
  EXPECT_NE(devices[0], devices[1]);
}

// Later operators depend on some earlier ones; some produce a gradient.
model::ProfiledGraph random_graph(Random& random) {
  model::ProfiledGraph graph;
  graph.source = "random";
  graph.batches = {1, 101};
  const int count = 2 + static_cast<int>(random(20));
  for (int op = 0; op < count; ++op) {
    std::vector<model::ProfiledInput> inputs;
    for (int from = std::max(0, op - 4); from < op; ++from) {
      if (random(2) == 0) inputs.push_back({from, random(8) != 0});
    }
    const Line bytes = random(3) == 0 ? Line{1 + std::int64_t{random(1'000'000)}, 0}
                                      : Line{0, 1 + std::int64_t{random(100'000)}};
    add(graph, fmt::format("op{}", op), {std::int64_t{random(40)}, std::int64_t{random(20)}}, bytes,
        std::move(inputs));
    if (random(3) == 0)
      graph.variables.push_back({fmt::format("w{}", op), {9_KB, 9_KB}, {op}, {op}});
    if (random(9) == 0) graph.variables.push_back({fmt::format("v{}", op), {9_KB, 9_KB}, {op}, {}});
    if (op > 0 && random(9) == 0) {
      graph.variables.push_back({fmt::format("both{}", op), {9_KB, 9_KB}, {op}, {op - 1, op}});
    }
  }
  graph.sums_last = random(4) == 0;
  return graph;
}

struct MaxPeers {
  std::size_t out = 0;
  std::size_t in = 0;
  int distance = 0;
};

MaxPeers max_peers(const workload::Workload& workload) {
  std::map<int, std::set<int>> to;
  std::map<int, std::set<int>> from;
  MaxPeers peers;
  for (const workload::PairDemand& it : demand_of(workload)) {
    to[it.from].insert(it.to);
    from[it.to].insert(it.from);
    const int apart = std::abs(it.from - it.to);
    peers.distance = std::max(peers.distance, std::min(apart, workload.devices - apart));
  }
  for (const auto& it : to) peers.out = std::max(peers.out, it.second.size());
  for (const auto& it : from) peers.in = std::max(peers.in, it.second.size());
  return peers;
}

TEST(PlaceProfile, NoPlanViolatesALimitOrTheQuantum) {
  int placed_within_degree = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random = random_stream(seed, 404);
    const model::ProfiledGraph graph = random_graph(random);
    OperatorPlan plan;
    plan.group = 1 + static_cast<int>(random(8));
    plan.replicas = 1 + static_cast<int>(random(3));
    plan.quantum = 1_us * random(60);
    if (random(3) != 0) plan.limits.degree = 1 + static_cast<int>(random(4));
    if (random(3) == 0) plan.limits.ring_distance = 1 + static_cast<int>(random(8));
    plan.link = {Bandwidth{std::int64_t{10'000'000'000} * (1 + random(100))}, 1_us * random(3)};
    const std::int64_t samples = 1 + random(16);
    const std::int64_t batch = plan.replicas * samples;
    const auto group = place_profiled_group(graph, batch, plan);
    const auto placed = place_profile(graph, batch, plan, usual);
    ASSERT_EQ(group.index(), placed.index());
    if (std::holds_alternative<Infeasible>(placed)) {
      EXPECT_TRUE(plan.limits.peers()) << std::get<Infeasible>(placed).why;
      continue;
    }
    for (const parallelize::PartitionedOperator& op : std::get<GroupPlacement>(group).operators) {
      for (const parallelize::Shard& shard : op.shards) {
        EXPECT_TRUE(op.partition.degree == 1 || shard.forward >= plan.quantum) << op.name;
      }
    }
    const workload::Workload& workload = std::get<PlacedJob>(placed).lowered.workload;
    EXPECT_EQ(to_text(workload::parse_workload(to_text(workload), "again")), to_text(workload));
    const MaxPeers peers = max_peers(workload);
    if (plan.limits.degree) {
      ++placed_within_degree;
      EXPECT_LE(peers.out, static_cast<std::size_t>(*plan.limits.degree));
      EXPECT_LE(peers.in, static_cast<std::size_t>(*plan.limits.degree));
    }
    EXPECT_LE(peers.distance, plan.limits.ring_distance.value_or(peers.distance));
  }
  EXPECT_GT(placed_within_degree, 15);
}

}  // namespace
}  // namespace loom::place
