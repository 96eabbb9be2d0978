// Lowers the shards of a placed group to a workload, the same for every replica.
//
// Device d of the group in replica r is r × group + d. All replicas perform an operation
// concurrently, so the number of operations does not depend on the number of replicas. Weights
// shared by several shards are reduced inside the group and over the replicas, then gathered: the
// bytes of one ring over all of them, with fewer peers.
#pragma once

#include "loom/place/list_schedule.h"
#include "loom/place/lower.h"

namespace loom::place {

struct ShardLowering {
  const GroupPlacement& placement;
  const model::Model& model;
  const parallelize::Job& job;
  const model::Accelerator& accelerator;
  int devices = 1;  // per group
  int replicas = 1;
  int iterations = 1;
  // Simultaneous messages of a device to several others are sent concurrently over all its links;
  // otherwise one after another.
  bool messages_together = false;
};

LoweredJob lower_shards(const ShardLowering& input, const ChooseAlgorithm& choose);

}  // namespace loom::place
