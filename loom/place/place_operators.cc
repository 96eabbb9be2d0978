#include "loom/place/place_operators.h"

#include <fmt/format.h>

#include "loom/place/lower_shards.h"

namespace loom::place {
namespace {

std::variant<GroupPlacement, Infeasible> place_partitioned(
    const parallelize::OperatorPartitioner& partitioner, const parallelize::Job& job,
    const OperatorPlan& plan, const parallelize::PartitionRule& rule) {
  const auto chosen = choose_partitions(partitioner, rule);
  if (const auto* no = std::get_if<Infeasible>(&chosen)) return *no;
  const auto& selected = std::get<std::vector<parallelize::OperatorPartition>>(chosen);
  std::vector<parallelize::PartitionedOperator> operators;
  for (std::size_t op = 0; op < selected.size(); ++op) {
    operators.push_back(partitioner.partition(static_cast<int>(op), selected[op]));
  }
  return list_schedule(
      operators, job,
      {.devices = plan.group, .replicas = plan.replicas, .limits = plan.limits, .link = plan.link},
      [&](int op, const parallelize::OperatorPartition& partition) {
        return partitioner.partition(op, partition);
      });
}

}  // namespace

std::variant<GroupPlacement, Infeasible> place_group(const model::Model& model,
                                                     const parallelize::Job& job,
                                                     const model::Accelerator& accelerator,
                                                     const model::MeasuredTimes& measured,
                                                     const OperatorPlan& plan) {
  if (job.batch % plan.replicas != 0) {
    return Infeasible{fmt::format("a batch of {} over {} replicas; a multiple is needed", job.batch,
                                  plan.replicas)};
  }
  const parallelize::OperatorPartitioner partitioner({.model = model,
                                                      .job = job,
                                                      .accelerator = accelerator,
                                                      .measured = measured,
                                                      .samples = job.batch / plan.replicas});
  parallelize::PartitionRule rule{.devices = plan.group,
                                  .quantum = plan.quantum,
                                  .fused_passes = plan.fused_passes,
                                  .manual = plan.manual,
                                  .link = plan.link};
  auto placed = place_partitioned(partitioner, job, plan, rule);
  if (!plan.limits.memory || std::holds_alternative<GroupPlacement>(placed)) return placed;
  rule.spread_weights = true;  // saves memory: shards hold no copies of the same weights
  auto spread = place_partitioned(partitioner, job, plan, rule);
  return std::holds_alternative<GroupPlacement>(spread) ? std::move(spread) : std::move(placed);
}

PlacedJob lower_group(const GroupPlacement& group, const model::Model& model,
                      const parallelize::Job& job, const model::Accelerator& accelerator,
                      const OperatorPlan& plan, int iterations, const ChooseAlgorithm& choose) {
  PlacedJob it;
  it.lowered = lower_shards({.placement = group,
                             .model = model,
                             .job = job,
                             .accelerator = accelerator,
                             .devices = plan.group,
                             .replicas = plan.replicas,
                             .iterations = iterations},
                            choose);
  it.memory = group.memory;
  it.flops = static_cast<double>(job.batch) * static_cast<double>(model.training_flops());
  it.done_flops = it.flops;
  for (const parallelize::PartitionedOperator& op : group.operators)
    it.degrees.push_back(op.partition.degree);
  return it;
}

std::variant<PlacedJob, Infeasible> place_operators(const model::Model& model,
                                                    const parallelize::Job& job,
                                                    const model::Accelerator& accelerator,
                                                    const model::MeasuredTimes& measured,
                                                    const OperatorPlan& plan, int iterations,
                                                    const ChooseAlgorithm& choose) {
  const auto placed = place_group(model, job, accelerator, measured, plan);
  if (const auto* no = std::get_if<Infeasible>(&placed)) return *no;
  return lower_group(std::get<GroupPlacement>(placed), model, job, accelerator, plan, iterations,
                     choose);
}

}  // namespace loom::place
