#include "loom/plan/cut_job.h"

#include <algorithm>
#include <utility>

#include "loom/place/place_operators.h"

namespace loom {
namespace {

void lay(LoweredJob lowered, const JobGround& ground, Duration limit, CutJob& job) {
  job.least = ground.least_time(lowered);
  if (job.least < limit) {
    job.grounded = ground.carried(std::move(lowered));
  } else {
    job.grounded.lowered = std::move(lowered);
  }
}

CutJob cut_operators(const JobSpec& spec, const Strategy& strategy, JobGround& ground,
                     Duration limit) {
  OperatorPlan plan;
  plan.group = strategy.operators;
  plan.replicas = strategy.data;
  plan.quantum = spec.choice.quantum;
  plan.fused_passes = true;
  plan.manual = spec.choice.cuts;
  plan.limits = ground.limits();
  plan.limits.memory = spec.accelerator.memory;
  plan.link = ground.link();
  auto placed = place_operators(
      spec.model, spec.job, spec.accelerator, spec.measured, plan, spec.iterations,
      [&](const Collective& wanted, const Groups& it) { return ground.choose(wanted, it); });
  CutJob job;
  if (const auto* no = std::get_if<Infeasible>(&placed)) {
    job.grounded.infeasible = no->why;
    return job;
  }
  auto& it = std::get<PlacedJob>(placed);
  job.memory = std::move(it.memory);
  job.flops = it.flops;
  job.done_flops = it.done_flops;
  lay(std::move(it.lowered), ground, limit, job);
  return job;
}

}  // namespace

Bytes CutJob::most_memory() const {
  Bytes most;
  for (const StageMemory& it : memory) most = std::max(most, it.total());
  return most;
}

CutJob cut_job(const JobSpec& spec, const Strategy& strategy, JobGround& ground, Duration limit) {
  if (strategy.operators > 1) return cut_operators(spec, strategy, ground, limit);
  const ShardedModel sharded =
      shard(spec.model, spec.job, strategy, spec.accelerator, spec.measured);
  CutJob job;
  job.memory = sharded.memory;
  job.flops = sharded.flops;
  job.done_flops = sharded.done_flops;
  lay(ground.lowered(sharded, spec.iterations), ground, limit, job);
  return job;
}

}  // namespace loom
