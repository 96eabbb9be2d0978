// From a model and limits to a job: operators cut, their pieces placed within a group, and the
// group replicated.
//
// This is SiP-ML's partitioner (SIGCOMM 2021, section 4): what the network can light is an input of
// how the model is cut, not a surprise afterwards.
#pragma once

#include <variant>

#include "loom/parallelize/choose_partitions.h"
#include "loom/place/list_schedule.h"
#include "loom/place/lower.h"

namespace loom {

struct OperatorPlan {
  int group = 1;     // devices that share one replica of the model: SiP-ML's MP
  int replicas = 1;  // SiP-ML's DP
  Duration quantum = std::chrono::microseconds(10);
  bool fused_passes = false;
  std::vector<ManualPartition> manual;
  PlacementLimits limits;  // which count the peers of rings for collectives
  LinkEstimate link;

  int devices() const { return group * replicas; }
};

struct PlacedJob {
  LoweredJob lowered;
  std::vector<StageMemory> memory;  // by device of the group
  double flops = 0;                 // of one iteration over all devices
  double done_flops = 0;            // the same: nothing is done twice
  std::vector<int> degrees;         // by operator, as placed
};

std::variant<PlacedJob, Infeasible> place_operators(const Model& model, const Job& job,
                                                    const Accelerator& accelerator,
                                                    const MeasuredTimes& measured,
                                                    const OperatorPlan& plan, int iterations,
                                                    const ChooseAlgorithm& choose);

// The first half of it: no collective has its algorithm yet.
std::variant<GroupPlacement, Infeasible> place_group(const Model& model, const Job& job,
                                                     const Accelerator& accelerator,
                                                     const MeasuredTimes& measured,
                                                     const OperatorPlan& plan);

// The second half.
PlacedJob lower_group(const GroupPlacement& group, const Model& model, const Job& job,
                      const Accelerator& accelerator, const OperatorPlan& plan, int iterations,
                      const ChooseAlgorithm& choose);

}  // namespace loom
