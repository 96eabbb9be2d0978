#include "loom/plan/shard_job.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "loom/place/place_profile.h"
#include "loom/plan/bound_strategy.h"

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
  if (!spec.profile) plan.limits.memory = spec.accelerator.usable_memory();
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
std::vector<place::ChooseAlgorithm> algorithm_rules(NetworkProvider& provider) {
  std::vector<place::ChooseAlgorithm> rules = {
      [&](const workload::Collective& wanted, const workload::Groups& it) {
        return provider.choose(wanted, it);
      }};
  if (!provider.limits().peers() || provider.algorithm_given()) return rules;
  for (const workload::Algorithm it : {workload::Algorithm::bidirectional_ring,
                                       workload::Algorithm::ring, workload::Algorithm::direct}) {
    rules.emplace_back([=](const workload::Collective& wanted, const workload::Groups& groups) {
      return by(it, wanted, groups.size);
    });
  }
  return rules;
}

// The collectives of the job with their algorithms chosen anew.
std::vector<workload::Collective> chosen_anew(const workload::Workload& workload,
                                              const place::ChooseAlgorithm& choose) {
  std::vector<workload::Collective> collectives = workload.collectives;
  std::vector<bool> chosen(collectives.size(), false);
  for (const workload::Operation& it : workload.operations) {
    if (it.kind != workload::OperationKind::collective) continue;
    const auto c = static_cast<std::size_t>(it.collective);
    if (chosen[c]) continue;
    chosen[c] = true;
    workload::Collective wanted;
    wanted.kind = collectives[c].kind;
    wanted.size = collectives[c].size;
    collectives[c] = choose(wanted, workload.groups[static_cast<std::size_t>(it.groups)]);
  }
  return collectives;
}

// The collectives of a job by one choice of algorithms, and a bound on its time on any network.
struct AlgorithmChoice {
  const place::ChooseAlgorithm* rule = nullptr;
  std::vector<workload::Collective> collectives;
  Duration lower_bound{0};
};

// A choice of algorithms on circuits, or on the provider's network, and a bound on its time.
struct LaidChoice {
  const AlgorithmChoice* choice = nullptr;
  std::shared_ptr<const CircuitLayout> layout;
  Duration bound{0};
};

// The choices that the rules lead to for the job, which follows the first rule; choices that come
// to the same are left out.
std::vector<AlgorithmChoice> algorithm_choices(const NetworkProvider& provider,
                                               std::span<const place::ChooseAlgorithm> rules,
                                               place::LoweredJob& job) {
  std::vector<AlgorithmChoice> choices = {{&rules.front(), job.workload.collectives}};
  for (const place::ChooseAlgorithm& rule : rules.subspan(1)) {
    AlgorithmChoice other = {&rule, chosen_anew(job.workload, rule)};
    const bool known = std::any_of(choices.begin(), choices.end(), [&](const auto& it) {
      return it.collectives == other.collectives;
    });
    if (!known) choices.push_back(std::move(other));
  }
  for (AlgorithmChoice& it : choices) {
    job.workload.collectives = it.collectives;
    it.lower_bound = provider.lower_bound(job);
  }
  return choices;
}

// A bound on the time of a job on circuits, if its algorithms follow the rule.
using BoundOnCircuits =
    std::function<Duration(const place::ChooseAlgorithm& rule, const CircuitLayout& layout)>;

// All choices on all circuits that may suit them, the lowest bound first.
std::vector<LaidChoice> laid_choices(const NetworkProvider& provider,
                                     std::span<const AlgorithmChoice> choices,
                                     const BoundOnCircuits& bound, place::LoweredJob& job) {
  std::vector<LaidChoice> laid;
  for (const AlgorithmChoice& it : choices) {
    job.workload.collectives = it.collectives;
    const CircuitLayouts::List layouts = provider.layouts(job);
    if (layouts.empty()) laid.push_back({&it, nullptr, it.lower_bound});
    for (const auto& layout : layouts) {
      Duration on_it{0};
      if (!layout->infeasible) {
        on_it = std::max(layout->busiest / job.iterations, bound(*it.rule, *layout));
      }
      laid.push_back({&it, layout, std::max(it.lower_bound, on_it)});
    }
  }
  std::stable_sort(laid.begin(), laid.end(),
                   [](const auto& a, const auto& b) { return a.bound < b.bound; });
  return laid;
}

// Maps the job with the fastest feasible choice of algorithms and circuits, or not at all if the
// bounds of all choices are at least `limit`. `lowered` lowers the job to operations.
template <class Lowered>
void lay_best(const JobSpec& spec, NetworkProvider& provider, Duration limit,
              const BoundOnCircuits& bound, Lowered&& lowered, ShardedJob& job) {
  const std::vector<place::ChooseAlgorithm> rules = algorithm_rules(provider);
  place::LoweredJob first = with_weights(lowered(rules.front()), spec.traffic_weights);
  const std::vector<AlgorithmChoice> choices = algorithm_choices(provider, rules, first);
  job.lower_bound = std::min_element(choices.begin(), choices.end(), [](auto& a, auto& b) {
                      return a.lower_bound < b.lower_bound;
                    })->lower_bound;
  if (job.lower_bound >= limit) return;
  const std::vector<LaidChoice> laid = laid_choices(provider, choices, bound, first);
  job.laid_bound = laid.front().bound;
  if (job.laid_bound >= limit) return;
  const auto mapped = [&](place::LoweredJob lowered_job, const LaidChoice& it) {
    lowered_job.workload.collectives = it.choice->collectives;
    MappedJob other = it.layout ? on_circuits(std::move(lowered_job), *it.layout)
                                : provider.map(std::move(lowered_job));
    other.sharing = spec.sharing;
    return other;
  };
  if (laid.size() == 1) {
    job.mapped = mapped(std::move(first), laid.front());
    return;
  }
  Duration best = kForever;
  for (std::size_t c = 0; c < laid.size(); ++c) {
    if (c > 0 && laid[c].bound >= best) break;
    MappedJob other = mapped(first, laid[c]);
    if (!other.infeasible) other.predicted = predicted_time(other);
    const Duration time = other.predicted.value_or(kForever);
    if (c > 0 && time >= best) continue;
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
  const auto no_bound = [](const auto&, const auto&) { return Duration(0); };
  lay_best(spec, provider, limit, no_bound, lowered, job);
  return job;
}

}  // namespace

Bytes ShardedJob::peak_memory() const {
  Bytes peak;
  for (const parallelize::StageMemory& it : memory) peak = std::max(peak, it.total());
  return peak;
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
  const auto bound = [&](const place::ChooseAlgorithm& rule, const CircuitLayout& layout) {
    return bound_on_circuits(sharded, rule, layout);
  };
  const auto lowered = [&](const place::ChooseAlgorithm& choose) {
    return place::lower(sharded, spec.iterations, choose);
  };
  lay_best(spec, provider, limit, bound, lowered, job);
  return job;
}

std::vector<place::LoweredJob> other_algorithms(const JobSpec& spec,
                                                const parallelize::Strategy& strategy,
                                                NetworkProvider& provider) {
  if (spec.profile || strategy.operators > 1) return {};
  const parallelize::ShardedModel sharded =
      shard(spec.model, spec.job, strategy, spec.accelerator, spec.measured);
  const std::vector<place::ChooseAlgorithm> rules = algorithm_rules(provider);
  place::LoweredJob first =
      with_weights(place::lower(sharded, spec.iterations, rules.front()), spec.traffic_weights);
  std::vector<place::LoweredJob> jobs;
  for (const AlgorithmChoice& it : algorithm_choices(provider, rules, first)) {
    jobs.push_back(first);
    jobs.back().workload.collectives = it.collectives;
  }
  return jobs;
}

}  // namespace loom::plan
