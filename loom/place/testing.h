// For tests: lowered jobs, bytes sent per device and purpose, and random plans of partitioned
// operators.
#pragma once

#include <map>
#include <string>

#include "loom/base/random.h"
#include "loom/parallelize/testing.h"
#include "loom/place/lower.h"
#include "loom/place/place_operators.h"

namespace loom::place {

// Collectives stay as requested, without an algorithm; they are never simulated.
inline LoweredJob lowered(const parallelize::ShardedModel& sharded, int iterations = 1) {
  return lower(sharded, iterations,
               [](const workload::Collective& wanted, const workload::Groups&) { return wanted; });
}

inline LoweredJob lowered(const model::Model& model, const parallelize::Job& job,
                          const parallelize::Strategy& strategy, int iterations = 1) {
  return lowered(sharded(model, job, strategy), iterations);
}

// Bytes of the collectives that each device takes part in, keyed like "data all_reduce"; messages
// count at the sender.
using Traffic = std::map<std::string, std::int64_t>;

inline std::vector<Traffic> traffic_of(const LoweredJob& job) {
  std::vector<Traffic> traffic(static_cast<std::size_t>(job.workload.devices));
  for (std::size_t o = 0; o < job.workload.operations.size(); ++o) {
    const workload::Operation& it = job.workload.operations[o];
    if (it.kind != workload::OperationKind::collective) continue;
    const workload::Collective& collective =
        job.workload.collectives[static_cast<std::size_t>(it.collective)];
    const std::string name =
        fmt::format("{} {}", kPurposeNames[static_cast<std::size_t>(job.tags[o].purpose)],
                    name_of(collective.kind));
    const workload::Groups& groups = job.workload.groups[static_cast<std::size_t>(it.groups)];
    const bool message = collective.kind == workload::CollectiveKind::point_to_point;
    for (int group = 0; group < groups.count(); ++group) {
      for (int rank = 0; rank < (message ? 1 : groups.size); ++rank) {
        traffic[static_cast<std::size_t>(groups.device(group, rank))][name] +=
            collective.size.count;
      }
    }
  }
  return traffic;
}

// Traffic of every device of a job with one pipeline stage; expects all devices to send the same.
inline Traffic common_traffic(const LoweredJob& job) {
  const std::vector<Traffic> traffic = traffic_of(job);
  for (const Traffic& it : traffic) EXPECT_EQ(it, traffic.front());
  return traffic.front();
}

// Returns the collective with the default algorithm of its kind.
inline workload::Collective usual(const workload::Collective& wanted, const workload::Groups&) {
  workload::Collective chosen = wanted;
  chosen.algorithm = algorithms_for(wanted.kind).front();
  return chosen;
}

// A job with individually partitioned operators, whose limits may make it infeasible.
struct RandomPlan {
  model::Model model;
  parallelize::Job job;
  OperatorPlan plan;
};

inline RandomPlan random_plan(Random& random) {
  RandomPlan it;
  switch (random(4)) {
    case 0:
      it.model = parallelize::small_transformer(2, random(2) == 0 ? "" : ", attention: fused");
      break;
    case 1:
      it.model = parallelize::small_mixture(1);
      break;
    case 2:
      it.model = model::model_of("model: mlp, inputs: 512, widths: 512x300x512x128");
      break;
    default:
      it.model = model::model_of("model: resnet-50, image: 64");
  }
  it.plan.group = 1 + static_cast<int>(random(8));
  it.plan.replicas = 1 + static_cast<int>(random(3));
  it.plan.quantum = Duration(1'000'000) * (1 + random(20));
  it.plan.fused_passes = random(2) == 0;
  it.plan.link = {Bandwidth{std::int64_t{10'000'000'000} * (1 + random(100))}, 1_us * random(3)};
  it.job.batch = it.plan.replicas * (1 + std::int64_t{random(8)});
  it.job.overlap_gradients = random(2) == 0;
  it.job.bucket = random(2) == 0 ? 1_B : 1_MiB;
  if (random(2) == 0) it.plan.limits.degree = 1 + static_cast<int>(random(6));
  if (random(3) == 0) it.plan.limits.ring_distance = 1 + static_cast<int>(random(8));
  if (random(3) == 0) it.plan.limits.memory = Bytes{std::int64_t{20'000'000} * (1 + random(40))};
  return it;
}

}  // namespace loom::place
