// List scheduling of shards on the devices of a group: takes the operators in model order and
// places each one where it ends earliest, including the wait for its inputs.
//
// The method and its limits are those of SiP-ML (SIGCOMM 2021, section 4.2): max number of peers of
// a device, max distance to a peer on the ring, and memory. If the limits leave no device for an
// operator, its inputs go around the ring of the group, or its degree is reduced. The backward pass
// of an operator runs on the devices of its forward pass.
#pragma once

#include <functional>
#include <variant>

#include "loom/parallelize/choose_partitions.h"
#include "loom/parallelize/shard.h"
#include "loom/place/peers.h"

namespace loom::place {

// Delivery of an operator's output to other devices, once for all operators that need the output in
// the same layout.
struct Delivery {
  int from = 0;  // operator that computes the output
  parallelize::Layout to;
  parallelize::Exchange exchange;
  std::vector<Duration> arrival;  // estimated time of arrival, per device of `to`
};

struct GroupPlacement {
  std::vector<parallelize::PartitionedOperator> operators;
  std::vector<std::vector<int>> devices;  // per operator, then per shard
  std::vector<Delivery> deliveries;       // each before the operators that wait for it
  std::vector<std::vector<int>> inputs;   // indices of the deliveries that an operator waits for
  std::vector<parallelize::StageMemory> memory;  // per device of the group
  Duration length{0};                            // estimated time, forward and backward
};

struct ListRule {
  int devices = 1;  // per group
  int replicas = 1;
  PlacementLimits limits;
  parallelize::LinkEstimate link;
  bool rings = true;  // transfers that the peer limits forbid use the ring of the group instead
  // true: a backward pass follows, and gradients return along the deliveries. false: the
  // operators include those of the backward pass; the schedule then also counts the time to sum
  // gradients, so that weights are spread over the devices.
  bool backward = true;
};

// Returns operator `op` partitioned as requested; called to reduce the degree of an operator.
using Repartition = std::function<parallelize::PartitionedOperator(
    int op, const parallelize::OperatorPartition& partition)>;

std::variant<GroupPlacement, Infeasible> list_schedule(
    const std::vector<parallelize::PartitionedOperator>& operators, const parallelize::Job& job,
    const ListRule& rule, const Repartition& repartition);

// Schedules the operators in model order on given devices; returns no value if a limit forbids it.
std::optional<GroupPlacement> schedule_as(
    const std::vector<parallelize::PartitionedOperator>& operators,
    const std::vector<std::vector<int>>& devices, const parallelize::Job& job,
    const ListRule& rule);

// Memory of one shard on its device.
parallelize::StageMemory shard_memory(const parallelize::Shard& shard, const parallelize::Job& job);

}  // namespace loom::place
