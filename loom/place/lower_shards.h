// Pieces of operators on the devices of a group become a workload, the same for every replica.
//
// Device d of the group in replica r is r × group + d. An operation is carried out by all replicas
// side by side, so their number does not change how many operations there are. Weights that several
// pieces share are reduced inside the group, over the replicas, and gathered again: as much as one
// ring over all of them sends, among fewer peers.
#pragma once

#include "loom/place/list_schedule.h"
#include "loom/place/lower.h"

namespace loom {

struct ShardLowering {
  const GroupPlacement& placement;
  const Model& model;
  const Job& job;
  const Accelerator& accelerator;
  int devices = 1;  // of the group
  int replicas = 1;
  int iterations = 1;
  // What a device sends to several at one moment leaves together, over all its links; else one
  // message after another.
  bool messages_together = false;
};

LoweredJob lower_shards(const ShardLowering& input, const ChooseAlgorithm& choose);

}  // namespace loom
