// Lowers the shards of a placed group to a workload of all its replicas.
//
// Device d of replica r has the number r × devices + d. All replicas perform an operation
// concurrently, so the number of operations does not depend on the number of replicas. Gradients of
// weights that several shards share are reduce-scattered inside the group, reduced over the
// replicas, then all-gathered inside the group. A device sends as many bytes as in one ring over
// these shards in all replicas, but needs no peers other than those inside the group and its
// counterpart in the next replica.
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
  // true: a device sends its messages of one delivery concurrently, over all its links; false: one
  // after another.
  bool messages_together = false;
};

LoweredJob lower_shards(const ShardLowering& input, const ChooseAlgorithm& choose);

}  // namespace loom::place
