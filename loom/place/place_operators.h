// Turns a model and the limits of a network into a job: partitions the operators, places their
// shards within a group of devices, and replicates the group.
//
// This is SiP-ML's partitioner (SIGCOMM 2021, section 4): the limits on circuits are an input of
// the partitioning, rather than checked afterwards.
#pragma once

#include <variant>

#include "loom/parallelize/choose_partitions.h"
#include "loom/place/list_schedule.h"
#include "loom/place/lower.h"

namespace loom::place {

struct OperatorPlan {
  int group = 1;     // devices that share one replica of the model: SiP-ML's MP
  int replicas = 1;  // SiP-ML's DP
  Duration quantum = std::chrono::microseconds(10);
  bool fused_passes = false;
  std::vector<parallelize::ManualPartition> manual;
  PlacementLimits limits;  // on memory, and on peers, including those on rings of collectives
  parallelize::LinkEstimate link;

  int devices() const { return group * replicas; }
};

struct PlacedJob {
  LoweredJob lowered;
  std::vector<parallelize::StageMemory> memory;  // per device of the group
  double flops = 0;                              // per iteration over all devices
  double done_flops = 0;     // including recomputation; equals flops, as nothing is recomputed
  std::vector<int> degrees;  // degree of each operator, as placed
};

std::variant<PlacedJob, Infeasible> place_operators(const model::Model& model,
                                                    const parallelize::Job& job,
                                                    const model::Accelerator& accelerator,
                                                    const model::MeasuredTimes& measured,
                                                    const OperatorPlan& plan, int iterations,
                                                    const ChooseAlgorithm& choose);

// The first half of place_operators(): placement, before collectives have algorithms.
std::variant<GroupPlacement, Infeasible> place_group(const model::Model& model,
                                                     const parallelize::Job& job,
                                                     const model::Accelerator& accelerator,
                                                     const model::MeasuredTimes& measured,
                                                     const OperatorPlan& plan);

// The second half of place_operators(): lowering to operations.
PlacedJob lower_group(const GroupPlacement& group, const model::Model& model,
                      const parallelize::Job& job, const model::Accelerator& accelerator,
                      const OperatorPlan& plan, int iterations, const ChooseAlgorithm& choose);

}  // namespace loom::place
