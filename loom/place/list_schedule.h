// List scheduling of shards on the devices of a group, in model order: each operator where it ends
// earliest, including the wait for its inputs.
//
// As in SiP-ML (SIGCOMM 2021, section 4.2), within its limits: the peers of a device up to the
// degree, none beyond the ring distance, and memory. If a limit leaves no device for an operator,
// its inputs go around the ring of the group, or its degree is reduced. The backward pass of an
// operator runs on the devices of its forward pass.
#pragma once

#include <functional>
#include <variant>

#include "loom/parallelize/choose_partitions.h"
#include "loom/parallelize/shard.h"
#include "loom/place/peers.h"

namespace loom::place {

// A tensor delivered to a layout, once for all operators that need it in that layout.
struct Delivery {
  int from = 0;  // operator
  parallelize::Layout to;
  parallelize::Exchange exchange;
  std::vector<Duration> arrival;  // estimate, per device of `to`
};

struct GroupPlacement {
  std::vector<parallelize::PartitionedOperator> operators;
  std::vector<std::vector<int>> devices;  // per operator, then per shard
  std::vector<Delivery> deliveries;       // each before the operators that wait for it
  std::vector<std::vector<int>> inputs;   // indices of the deliveries that an operator waits for
  std::vector<parallelize::StageMemory> memory;  // per device of the group
  Duration length{0};                            // estimate, forward and backward
};

struct ListRule {
  int devices = 1;  // per group
  int replicas = 1;
  PlacementLimits limits;
  parallelize::LinkEstimate link;
  bool rings = true;  // transfers that no message may carry use the ring of the group
  // Gradients return along the delivery of each output; false: the operators include the backward
  // pass. Then the time to sum gradients counts in the schedule, so that weights are spread.
  bool backward = true;
};

// Returns an operator with a lower degree.
using Repartition = std::function<parallelize::PartitionedOperator(
    int op, const parallelize::OperatorPartition& partition)>;

std::variant<GroupPlacement, Infeasible> list_schedule(
    const std::vector<parallelize::PartitionedOperator>& operators, const parallelize::Job& job,
    const ListRule& rule, const Repartition& repartition);

// The same schedule with given devices for the shards; nothing if a limit forbids it.
std::optional<GroupPlacement> schedule_as(
    const std::vector<parallelize::PartitionedOperator>& operators,
    const std::vector<std::vector<int>>& devices, const parallelize::Job& job,
    const ListRule& rule);

// Memory of one shard on its device.
parallelize::StageMemory shard_memory(const parallelize::Shard& shard, const parallelize::Job& job);

}  // namespace loom::place
