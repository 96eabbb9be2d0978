#include "loom/place/place_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "loom/parallelize/profile_partitioner.h"
#include "loom/place/at.h"
#include "loom/place/lower_shards.h"
#include "loom/place/shard_gradients.h"
#include "loom/place/shard_steps.h"
#include "loom/workload/workload_keys.h"

namespace loom::place {
namespace {

// The bucket size makes each gradient a bucket of its own, reduced as soon as it is computed.
// Profiles give sizes in bytes, so an element has 1 byte.
const parallelize::Job kProfiled = {.gradient_bytes = 1, .bucket = Bytes{1}};

double replica_batch(std::int64_t batch, const OperatorPlan& plan) {
  return static_cast<double>(batch) / plan.replicas;
}

std::vector<int> first_devices(std::size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Duration length_of(const std::variant<GroupPlacement, Infeasible>& placed) {
  const auto* group = std::get_if<GroupPlacement>(&placed);
  return group != nullptr ? group->length : kForever;
}

class ProfileLowerer {
 public:
  ProfileLowerer(const model::ProfiledGraph& graph, const GroupPlacement& placement, double batch,
                 const OperatorPlan& plan, const ChooseAlgorithm& choose)
      : graph_(graph),
        place_(placement),
        batch_(batch),
        group_(first_devices(static_cast<std::size_t>(plan.group))),
        builder_(plan.devices(), 1, choose),
        operations_(builder_, plan.group, plan.replicas),
        gradients_(operations_, kProfiled, plan.group),
        steps_(operations_, placement, first_devices(graph.operators.size()), plan.group),
        ready_(graph.operators.size() + 1) {
    for (int v = 0; v < static_cast<int>(graph.variables.size()); ++v) {
      const std::vector<int>& makers = at(graph.variables, v).makers;
      const std::size_t made = makers.empty() ? 0 : static_cast<std::size_t>(makers.back()) + 1;
      ready_[graph.sums_last ? graph.operators.size() : made].push_back(v);
    }
  }

  LoweredJob run() {
    steps_.begin_iteration();
    for (const int v : ready_.front()) sum(v);
    for (int op = 0; op < static_cast<int>(graph_.operators.size()); ++op) {
      steps_.forward(op);
      name_new(at(graph_.operators, op).name);
      for (const int v : at(ready_, op + 1)) sum(v);
    }
    LoweredJob job = builder_.finish();
    job.workload.names = std::move(names_);
    return job;
  }

 private:
  void sum(int variable) {
    const std::vector<int> devices = holders(variable);
    gradients_.add(devices, graph_.size(variable, batch_), steps_.computed_on(devices));
    name_new(at(graph_.variables, variable).name);
  }

  std::vector<int> holders(int variable) const {
    const std::vector<int>& users = at(graph_.variables, variable).users;
    if (users.empty()) return group_;
    const std::vector<int> devices = sorted_devices(users.front());
    const bool together = std::all_of(users.begin(), users.end(),
                                      [&](int op) { return sorted_devices(op) == devices; });
    return together ? devices : group_;
  }

  std::vector<int> sorted_devices(int op) const {
    std::vector<int> devices = at(place_.devices, op);
    std::sort(devices.begin(), devices.end());
    return devices;
  }

  // Names the operations added since the last call; the number makes names unique.
  void name_new(const std::string& subject) {
    for (std::size_t o = names_.size(); o < builder_.size(); ++o) {
      const std::string_view purpose =
          kPurposeNames[static_cast<std::size_t>(builder_.tag(o).purpose)];
      std::string name = fmt::format("{}.{}.{}", purpose, subject, o);
      names_.push_back(name.size() <= workload::kLongestName ? std::move(name) : "");
    }
  }

  const model::ProfiledGraph& graph_;
  const GroupPlacement& place_;
  const double batch_;  // per replica
  const std::vector<int> group_;
  JobBuilder builder_;
  GroupOperations operations_;
  ShardGradients gradients_;
  ShardSteps steps_;
  std::vector<std::vector<int>> ready_;  // variables summed after i operators have run
  std::vector<std::string> names_;
};

}  // namespace

std::variant<GroupPlacement, Infeasible> place_profiled_group(const model::ProfiledGraph& graph,
                                                              std::int64_t batch,
                                                              const OperatorPlan& plan) {
  const parallelize::ProfilePartitioner partitioner(graph, replica_batch(batch, plan),
                                                    plan.quantum);
  const ListRule rule{.devices = plan.group,
                      .replicas = plan.replicas,
                      .limits = plan.limits,
                      .link = plan.link,
                      .backward = false};
  const auto schedule = [&](int max_degree) {
    return list_schedule(partitioner.choose(max_degree, plan.link), kProfiled, rule,
                         [&](int op, const parallelize::OperatorPartition& it) {
                           return partitioner.partition(op, partitioner.finest(op, it.degree));
                         });
  };
  auto partitioned = schedule(plan.group);
  if (plan.group == 1) return partitioned;
  auto whole = schedule(1);
  return length_of(whole) < length_of(partitioned) ? std::move(whole) : std::move(partitioned);
}

PlacedJob lower_profile(const model::ProfiledGraph& graph, const GroupPlacement& group,
                        std::int64_t batch, const OperatorPlan& plan,
                        const ChooseAlgorithm& choose) {
  PlacedJob it;
  it.lowered = ProfileLowerer(graph, group, replica_batch(batch, plan), plan, choose).run();
  for (const parallelize::PartitionedOperator& op : group.operators)
    it.degrees.push_back(op.partition.degree);
  return it;
}

std::variant<PlacedJob, Infeasible> place_profile(const model::ProfiledGraph& graph,
                                                  std::int64_t batch, const OperatorPlan& plan,
                                                  const ChooseAlgorithm& choose) {
  const auto placed = place_profiled_group(graph, batch, plan);
  if (const auto* no = std::get_if<Infeasible>(&placed)) return *no;
  return lower_profile(graph, std::get<GroupPlacement>(placed), batch, plan, choose);
}

}  // namespace loom::place
