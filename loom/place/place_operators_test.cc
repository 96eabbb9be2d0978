// Jobs with individually partitioned operators: within limits, complete, and equal in all replicas.
#include "loom/place/place_operators.h"

#include <map>
#include <set>

#include "loom/base/testing.h"
#include "loom/parallelize/footprint.h"
#include "loom/place/testing.h"
#include "loom/workload/schedule.h"

namespace loom::place {
namespace {

std::variant<PlacedJob, Infeasible> placed(const model::Model& model, const parallelize::Job& job,
                                           const OperatorPlan& plan, int iterations = 1) {
  return place_operators(model, job, parallelize::small_accelerator(), {}, plan, iterations, usual);
}

PlacedJob possible(const model::Model& model, const parallelize::Job& job, const OperatorPlan& plan,
                   int iterations = 1) {
  auto it = placed(model, job, plan, iterations);
  if (const auto* no = std::get_if<Infeasible>(&it)) {
    ADD_FAILURE() << no->why;
    return {};
  }
  return std::get<PlacedJob>(std::move(it));
}

std::string refusal(const model::Model& model, const parallelize::Job& job,
                    const OperatorPlan& plan) {
  const auto it = placed(model, job, plan);
  const auto* no = std::get_if<Infeasible>(&it);
  return no == nullptr ? "" : no->why;
}

// Bytes per pair of devices, with all collectives expanded to messages.
using Flows = std::map<std::pair<int, int>, std::int64_t>;

Flows flows_of(const LoweredJob& job) {
  Flows flows;
  for (const workload::Operation& it : job.workload.operations) {
    if (it.kind != workload::OperationKind::collective) continue;
    const workload::Groups& groups = job.workload.groups[static_cast<std::size_t>(it.groups)];
    const workload::Collective& collective =
        job.workload.collectives[static_cast<std::size_t>(it.collective)];
    EXPECT_EQ(why(objection(collective, groups.size)), "no objection");
    const workload::Schedule messages = schedule(collective, groups.size);
    for (const workload::Phase& phase : messages.phases) {
      for (std::size_t c = 0; c < phase.channels.size(); ++c) {
        const auto bytes = static_cast<std::int64_t>(channel_bytes(phase, static_cast<int>(c)));
        for (int group = 0; group < groups.count(); ++group) {
          flows[{groups.device(group, phase.channels[c].source),
                 groups.device(group, phase.channels[c].destination)}] += bytes;
        }
      }
    }
  }
  return flows;
}

std::vector<std::int64_t> sent_by(const LoweredJob& job) {
  std::vector<std::int64_t> sent(static_cast<std::size_t>(job.workload.devices), 0);
  for (const auto& it : flows_of(job)) sent[static_cast<std::size_t>(it.first.first)] += it.second;
  return sent;
}

std::vector<Duration> busy_of(const LoweredJob& job, bool optimizer = true) {
  std::vector<Duration> busy(static_cast<std::size_t>(job.workload.devices), Duration(0));
  for (std::size_t o = 0; o < job.tags.size(); ++o) {
    const workload::Operation& it = job.workload.operations[o];
    if (it.kind != workload::OperationKind::compute) continue;
    if (!optimizer && job.tags[o].purpose == Purpose::optimizer) continue;
    for (const int device : job.workload.groups[static_cast<std::size_t>(it.groups)].members) {
      busy[static_cast<std::size_t>(device)] += it.time;
    }
  }
  return busy;
}

OperatorPlan all_partitioned(int group, int replicas, parallelize::PartitionDimension dimension) {
  return {.group = group, .replicas = replicas, .manual = {{"*", {dimension, group}}}};
}

model::Model two_layers() { return model::model_of("model: mlp, inputs: 64, widths: 96x64"); }

TEST(PlaceOperators, PartitioningBySamplesSendsWhatDataParallelismSends) {
  const model::Model model = two_layers();
  for (const int group : {1, 2, 3, 5, 6, 7}) {
    for (const int replicas : {1, 2, 4}) {
      const parallelize::Job job{.batch = std::int64_t{group} * replicas * 2};
      const PlacedJob it = possible(
          model, job, all_partitioned(group, replicas, parallelize::PartitionDimension::sample));
      const std::int64_t n = std::int64_t{group} * replicas;
      const double expected = 2.0 * static_cast<double>(4 * model.parameters()) *
                              static_cast<double>(n - 1) / static_cast<double>(n);
      for (const std::int64_t sent : sent_by(it.lowered)) {
        EXPECT_NEAR(static_cast<double>(sent), expected, 16) << group << " × " << replicas;
      }
    }
  }
}

// arXiv 1909.08053, section 3: two layers need one all-reduce of b × h elements forward and one
// backward. Here the loss is partitioned by samples: the sum is scattered, and its gradient
// gathered. The first layer's input needs no gradient.
TEST(PlaceOperators, PartitioningByParametersSendsWhatMegatronSends) {
  const model::Model model = two_layers();
  constexpr std::int64_t kTwice = 2 * std::int64_t{12} * 64 * 2;  // there and back, two bytes each
  for (const int group : {2, 3, 4, 6}) {
    OperatorPlan plan{.group = group};
    for (const model::Operator& op : model.operators) {
      const bool weights = op.parameters > 0 || op.tensor == model::TensorSharding::sharded;
      plan.manual.push_back({op.name,
                             {weights ? parallelize::PartitionDimension::parameter
                                      : parallelize::PartitionDimension::sample,
                              group}});
    }
    const parallelize::Job job{.batch = 12};
    const PlacedJob it = possible(model, job, plan);
    const std::int64_t all_reduce = kTwice * (group - 1);  // total over all ranks
    std::int64_t sum = 0;
    for (const std::int64_t sent : sent_by(it.lowered)) sum += sent;
    EXPECT_EQ(sum, all_reduce) << group;
  }
}

TEST(PlaceOperators, AGroupOfOneIsPlainDataParallelism) {
  for (const model::Model& model : {parallelize::small_transformer(4), two_layers()}) {
    const parallelize::Job job{.batch = 16, .bucket = 1_B};
    const PlacedJob it = possible(model, job, {.group = 1, .replicas = 4}, 2);
    const parallelize::ShardedModel plain = sharded(model, job, {.data = 4, .micro_batch = 4});
    EXPECT_EQ(busy_of(it.lowered), busy_of(lowered(plain, 2)));
    EXPECT_EQ(common_traffic(it.lowered), common_traffic(lowered(plain, 2)));
    EXPECT_EQ(it.memory.front().total(), plain.memory.front().total());
    EXPECT_EQ(it.flops, plain.flops);
  }
}

TEST(PlaceOperators, ReplicasDoNotAddOperations) {
  const model::Model model = parallelize::small_transformer(2);
  const auto count = [&](int replicas) {
    const parallelize::Job job{.batch = std::int64_t{4} * replicas};
    return possible(model, job, {.group = 4, .replicas = replicas, .quantum = 2_us})
        .lowered.workload.operations.size();
  };
  EXPECT_EQ(count(2), count(64));
}

TEST(PlaceOperators, EveryReplicaDoesTheSame) {
  const model::Model model = parallelize::small_transformer(2);
  const PlacedJob it = possible(model, {.batch = 12}, {.group = 3, .replicas = 4, .quantum = 2_us});
  const std::vector<std::int64_t> sent = sent_by(it.lowered);
  const std::vector<Duration> busy = busy_of(it.lowered);
  for (std::size_t d = 3; d < sent.size(); ++d) {
    EXPECT_EQ(sent[d], sent[d % 3]);
    EXPECT_EQ(busy[d], busy[d % 3]);
  }
}

TEST(PlaceOperators, WideLayersKeepAllDevicesEquallyBusy) {
  const model::Model model =
      model::model_of("model: mlp, inputs: 4096, widths: 8192x8192x8192x8192");
  for (const int group : {2, 3, 5, 6, 7, 8}) {
    const PlacedJob it = possible(model, {.batch = 64}, {.group = group});
    const std::vector<Duration> busy = busy_of(it.lowered, false);
    Duration peak{0};
    Duration sum{0};
    for (const Duration one : busy) {
      peak = std::max(peak, one);
      sum += one;
    }
    EXPECT_LE(static_cast<double>(peak.count()) * group, 1.05 * static_cast<double>(sum.count()))
        << group;
  }
}

TEST(PlaceOperators, NoShardIsShorterThanTheQuantum) {
  const model::Model model = parallelize::small_transformer(2);
  for (const Duration quantum : {2_us, 10_us, 50_us}) {
    const auto it = place_group(model, {.batch = 8}, parallelize::small_accelerator(), {},
                                {.group = 7, .quantum = quantum});
    for (const parallelize::PartitionedOperator& op : std::get<GroupPlacement>(it).operators) {
      for (const parallelize::Shard& shard : op.shards) {
        EXPECT_TRUE(op.partition.degree == 1 || shard.forward >= quantum);
      }
    }
  }
}

TEST(PlaceOperators, ErrorsNameTheLimit) {
  const model::Model model = parallelize::small_transformer(2);
  const OperatorPlan plan{.group = 4, .replicas = 2};
  const auto with = [&](const PlacementLimits& limits) {
    OperatorPlan limited = plan;
    limited.limits = limits;
    return refusal(model, {.batch = 4}, limited);
  };
  EXPECT_EQ(with({.degree = 1}), "degree 1; 2 are needed, one per ring (group and replicas)");
  EXPECT_EQ(with({.degree = 2}), "");
  EXPECT_EQ(with({.ring_distance = 3}), "ring distance 3; replicas of 4 devices are 4 apart");
  EXPECT_EQ(with({.ring_distance = 4}), "");
  EXPECT_EQ(with({.memory = 100_KB}),
            "embedding.tokens needs 294.9 kB on a device; at most 100.0 kB of 100.0 kB are free");
  EXPECT_EQ(refusal(model, {.batch = 5}, plan),
            "a batch of 5 over 2 replicas; a multiple is needed");
  OperatorPlan manual = plan;
  manual.manual = {{"layer0.*.norm", {parallelize::PartitionDimension::parameter, 2}}};
  EXPECT_EQ(refusal(model, {.batch = 4}, manual),
            "layer0.attention.norm has degree 2 by parameter; the maximum is 1");
  manual.manual = {{"layer1.*", {parallelize::PartitionDimension::sample, 8}}};
  EXPECT_EQ(refusal(model, {.batch = 4}, manual),
            "layer1.attention.norm has degree 8; the group has 4 devices");
}

// The first layer leaves space for the second only on the other device.
TEST(PlaceOperators, OperatorsThatDoNotFitGetALowerDegree) {
  const model::Model model = model::model_of("model: mlp, inputs: 64, widths: 256x256");
  OperatorPlan plan{.group = 2};
  std::vector<std::size_t> layers;
  for (std::size_t op = 0; op < model.operators.size(); ++op) {
    if (model.operators[op].parameters == 0) continue;
    plan.manual.push_back(
        {model.operators[op].name,
         {parallelize::PartitionDimension::sample, 1 + static_cast<int>(layers.size())}});
    layers.push_back(op);
  }
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(possible(model, {.batch = 2}, plan).degrees[layers[1]], 2);
  plan.limits.memory = 1250_KB;
  EXPECT_EQ(possible(model, {.batch = 2}, plan).degrees[layers[1]], 1);
}

// Partitioned by samples, every device has all weights; by parameters, each has a fraction.
TEST(PlaceOperators, IfMemoryIsShortWeightsAreSpread) {
  const model::Model model =
      model::model_of("model: mlp, inputs: 1024, widths: 1024x1024x1024x1024");
  const parallelize::Job job{.batch = 4096};
  OperatorPlan plan{.group = 4, .link = {Bandwidth{10'000'000'000'000}, 0_ns}};
  const auto peak = [&](const PlacedJob& it) {
    Bytes largest;
    for (const parallelize::StageMemory& memory : it.memory)
      largest = std::max(largest, memory.total());
    return largest;
  };
  const Bytes fast = peak(possible(model, job, plan));
  plan.limits.memory = Bytes{fast.count * 3 / 5};
  EXPECT_LE(peak(possible(model, job, plan)), *plan.limits.memory);
}

void expect_within(const PlacementLimits& limits, const PlacedJob& job) {
  const int n = job.lowered.workload.devices;
  std::map<int, std::set<int>> to;
  std::map<int, std::set<int>> from;
  for (const auto& it : flows_of(job.lowered)) {
    const int apart = std::abs(it.first.first - it.first.second);
    EXPECT_LE(std::min(apart, n - apart), limits.ring_distance.value_or(n));
    to[it.first.first].insert(it.first.second);
    from[it.first.second].insert(it.first.first);
  }
  for (int d = 0; d < n && limits.degree; ++d) {
    EXPECT_LE(static_cast<int>(to[d].size()), *limits.degree) << "from " << d;
    EXPECT_LE(static_cast<int>(from[d].size()), *limits.degree) << "to " << d;
  }
  for (const parallelize::StageMemory& it : job.memory) {
    EXPECT_LE(it.total(), limits.memory.value_or(kLargestSize));
  }
}

TEST(PlaceOperators, NoPlanExceedsItsLimits) {
  int found = 0;
  for (std::uint64_t seed = 0; found < 100; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 61);
    const RandomPlan it = random_plan(random);
    const auto job = placed(it.model, it.job, it.plan, 2);
    if (std::holds_alternative<Infeasible>(job)) continue;
    ++found;
    expect_within(it.plan.limits, std::get<PlacedJob>(job));
  }
}

TEST(PlaceOperators, EveryElementIsComputedOnceAndEveryParameterHeld) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 62);
    RandomPlan it = random_plan(random);
    it.plan.limits = {};
    const auto result =
        place_group(it.model, it.job, parallelize::small_accelerator(), {}, it.plan);
    const auto& group = std::get<GroupPlacement>(result);
    for (std::size_t op = 0; op < group.operators.size(); ++op) {
      const parallelize::PartitionedOperator& partitioned = group.operators[op];
      const std::set<int> devices(group.devices[op].begin(), group.devices[op].end());
      EXPECT_EQ(devices.size(), partitioned.shards.size());
      std::int64_t made = 0;
      std::int64_t parameters = 0;
      for (const parallelize::Shard& shard : partitioned.shards) {
        made += elements(shard.output);
        parameters += shard.parameters;
      }
      const auto degree = static_cast<std::int64_t>(partitioned.shards.size());
      EXPECT_EQ(made, partitioned.whole.elements() * (partitioned.sums ? degree : 1));
      EXPECT_EQ(parameters, it.model.operators[op].parameters * (partitioned.shared ? degree : 1));
    }
  }
}

TEST(PlaceOperators, OperationsDependOnlyOnEarlierOnes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 63);
    const RandomPlan it = random_plan(random);
    const auto result = placed(it.model, it.job, it.plan, 2);
    if (std::holds_alternative<Infeasible>(result)) continue;
    const LoweredJob& job = std::get<PlacedJob>(result).lowered;
    ASSERT_EQ(job.tags.size(), job.workload.operations.size());
    for (std::size_t o = 0; o < job.tags.size(); ++o) {
      for (const std::uint32_t before : job.workload.waits_for(o)) ASSERT_LT(before, o);
    }
  }
}

}  // namespace
}  // namespace loom::place
