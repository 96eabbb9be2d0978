#include "loom/plan/shard_job.h"

#include <algorithm>
#include <span>
#include <utility>

#include "loom/place/place_profile.h"
#include "loom/simulate/engine.h"

namespace loom::plan {
namespace {

place::OperatorPlan operator_plan(const JobSpec& spec, const parallelize::Strategy& strategy,
                                  const NetworkProvider& provider) {
  place::OperatorPlan plan;
  plan.group = strategy.operators;
  plan.replicas = strategy.data;
  plan.quantum = spec.choice.quantum;
  plan.fused_passes = true;
  plan.manual = spec.choice.manual_partitions;
  plan.limits = provider.limits();
  if (!spec.profile) plan.limits.memory = spec.accelerator.memory;
  plan.link = provider.link();
  return plan;
}

// Returns the collective with `algorithm`, or with the default algorithm if `algorithm` cannot
// perform it or would give a rank too many peers. The default is a ring, except for messages and
// all-to-all.
workload::Collective by(workload::Algorithm algorithm, const workload::Collective& wanted,
                        int ranks) {
  const std::vector<workload::Algorithm> can = algorithms_for(wanted.kind);
  const bool known = std::find(can.begin(), can.end(), algorithm) != can.end();
  workload::Collective chosen = wanted;
  chosen.algorithm = known ? algorithm : can[0];
  if (too_many_peers(chosen, ranks)) chosen.algorithm = can[0];
  return chosen;
}

// Rules to choose algorithms: the fastest in isolation for each collective and, if peers are
// limited, one algorithm for all collectives. The fastest algorithms in isolation may together need
// more peers than available, or divide the circuits among too many peers.
std::vector<place::ChooseAlgorithm> algorithm_choices(NetworkProvider& provider) {
  std::vector<place::ChooseAlgorithm> choices = {
      [&](const workload::Collective& wanted, const workload::Groups& it) {
        return provider.choose(wanted, it);
      }};
  if (!provider.limits().peers() || provider.algorithm_given()) return choices;
  for (const workload::Algorithm it : {workload::Algorithm::bidirectional_ring,
                                       workload::Algorithm::ring, workload::Algorithm::direct}) {
    choices.emplace_back([=](const workload::Collective& wanted, const workload::Groups& groups) {
      return by(it, wanted, groups.size);
    });
  }
  return choices;
}

// The job with the algorithms of its collectives chosen anew.
place::LoweredJob with_algorithms(place::LoweredJob job, const place::ChooseAlgorithm& choose) {
  workload::Workload& workload = job.workload;
  std::vector<bool> chosen(workload.collectives.size(), false);
  for (const workload::Operation& it : workload.operations) {
    if (it.kind != workload::OperationKind::collective) continue;
    const auto c = static_cast<std::size_t>(it.collective);
    if (chosen[c]) continue;
    chosen[c] = true;
    workload::Collective wanted;
    wanted.kind = workload.collectives[c].kind;
    wanted.size = workload.collectives[c].size;
    workload.collectives[c] = choose(wanted, workload.groups[static_cast<std::size_t>(it.groups)]);
  }
  return job;
}

// The job with each choice of algorithms; choices that come to the same are left out.
std::vector<place::LoweredJob> by_algorithms(place::LoweredJob first,
                                             std::span<const place::ChooseAlgorithm> others) {
  std::vector<place::LoweredJob> jobs = {std::move(first)};
  for (const place::ChooseAlgorithm& choose : others) {
    place::LoweredJob job = with_algorithms(jobs.front(), choose);
    const bool known = std::any_of(jobs.begin(), jobs.end(), [&](const place::LoweredJob& it) {
      return it.workload.collectives == job.workload.collectives;
    });
    if (!known) jobs.push_back(std::move(job));
  }
  return jobs;
}

// Maps the job with the fastest feasible choice of algorithms, or not at all if the lower bounds of
// all choices are at least `limit`. `lowered` lowers the job to operations.
template <class Lowered>
void lay_best(const JobSpec& spec, NetworkProvider& provider, Duration limit, Lowered&& lowered,
              ShardedJob& job) {
  const std::vector<place::ChooseAlgorithm> choices = algorithm_choices(provider);
  std::vector<place::LoweredJob> jobs = by_algorithms(
      with_weights(lowered(choices.front()), spec.traffic_weights), std::span(choices).subspan(1));
  std::vector<Duration> lower_bound;
  for (const place::LoweredJob& it : jobs) lower_bound.push_back(provider.lower_bound(it));
  job.lower_bound = *std::min_element(lower_bound.begin(), lower_bound.end());
  if (job.lower_bound >= limit) {
    job.mapped.lowered = std::move(jobs.front());
    return;
  }
  Duration best = kForever;
  for (std::size_t w = 0; w < jobs.size(); ++w) {
    if (w > 0 && lower_bound[w] >= best) continue;
    MappedJob other = provider.map(std::move(jobs[w]));
    other.sharing = spec.sharing;
    const bool compared = !other.infeasible && jobs.size() > 1;
    const Duration time = compared ? predicted_time(other) : kForever;
    if (w > 0 && time >= best) continue;
    best = time;
    job.mapped = std::move(other);
  }
}

std::variant<place::GroupPlacement, Infeasible> placed_group(const JobSpec& spec,
                                                             const place::OperatorPlan& plan) {
  if (spec.profile) return place_profiled_group(*spec.profile, spec.job.batch, plan);
  return place_group(spec.model, spec.job, spec.accelerator, spec.measured, plan);
}

place::PlacedJob lowered_group(const JobSpec& spec, const place::OperatorPlan& plan,
                               const place::GroupPlacement& group,
                               const place::ChooseAlgorithm& choose) {
  if (spec.profile) return lower_profile(*spec.profile, group, spec.job.batch, plan, choose);
  return lower_group(group, spec.model, spec.job, spec.accelerator, plan, spec.iterations, choose);
}

ShardedJob partition_operators(const JobSpec& spec, const parallelize::Strategy& strategy,
                               NetworkProvider& provider, Duration limit) {
  const place::OperatorPlan plan = operator_plan(spec, strategy, provider);
  const auto group = placed_group(spec, plan);
  ShardedJob job;
  if (const auto* no = std::get_if<Infeasible>(&group)) {
    job.mapped.infeasible = *no;
    return job;
  }
  const auto lowered = [&](const place::ChooseAlgorithm& choose) {
    place::PlacedJob placed =
        lowered_group(spec, plan, std::get<place::GroupPlacement>(group), choose);
    job.memory = std::move(placed.memory);
    job.flops = placed.flops;
    job.done_flops = placed.done_flops;
    return std::move(placed.lowered);
  };
  lay_best(spec, provider, limit, lowered, job);
  return job;
}

}  // namespace

Bytes ShardedJob::peak_memory() const {
  Bytes peak;
  for (const parallelize::StageMemory& it : memory) peak = std::max(peak, it.total());
  return peak;
}

Duration predicted_time(const MappedJob& job) {
  simulate::EngineOptions options;
  options.isolated = job.times;
  options.sharing = job.sharing;
  return iteration_time(
      job.lowered,
      simulate::simulate_coarse(job.lowered.workload, *job.network, options).operation_end);
}

Duration iteration_time(const place::LoweredJob& job, const std::vector<TimePoint>& operation_end) {
  TimePoint last;
  TimePoint before;
  for (std::size_t o = 0; o < operation_end.size(); ++o) {
    if (job.tags[o].iteration == job.iterations - 1) last = std::max(last, operation_end[o]);
    if (job.tags[o].iteration == job.iterations - 2) before = std::max(before, operation_end[o]);
  }
  return last - before;
}

ShardedJob shard_job(const JobSpec& spec, const parallelize::Strategy& strategy,
                     NetworkProvider& provider, Duration limit) {
  if (spec.profile || strategy.operators > 1)
    return partition_operators(spec, strategy, provider, limit);
  const parallelize::ShardedModel sharded =
      shard(spec.model, spec.job, strategy, spec.accelerator, spec.measured);
  ShardedJob job;
  job.memory = sharded.memory;
  job.flops = sharded.flops;
  job.done_flops = sharded.done_flops;
  lay_best(
      spec, provider, limit,
      [&](const place::ChooseAlgorithm& choose) {
        return place::lower(sharded, spec.iterations, choose);
      },
      job);
  return job;
}

}  // namespace loom::plan
