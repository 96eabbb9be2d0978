// Which device of the group does which piece: list scheduling in the order of the model, each
// operator where it ends earliest, what it has to wait for included.
//
// As SiP-ML (SIGCOMM 2021, section 4.2), with its limits kept: a device has no more peers than the
// degree, none beyond the distance on the ring, and what it holds fits into its memory. Where a
// limit leaves no place for an operator, what it needs goes round the ring of the group, or it is
// cut into fewer pieces. Backward runs where forward ran.
#pragma once

#include <functional>
#include <variant>

#include "loom/parallelize/choose_partitions.h"
#include "loom/parallelize/shard.h"
#include "loom/place/peers.h"

namespace loom {

// A tensor brought to where it is needed, once for all operators that need it so.
struct Delivery {
  int from = 0;  // operator
  Layout to;
  Exchange exchange;
  std::vector<Duration> arrival;  // as estimated, by device of `to`
};

struct GroupPlacement {
  std::vector<PartitionedOperator> operators;
  std::vector<std::vector<int>> devices;  // by operator, then by piece
  std::vector<Delivery> deliveries;       // each before the operators that wait for it
  std::vector<std::vector<int>> inputs;   // deliveries that an operator waits for
  std::vector<StageMemory> memory;        // by device of the group
  Duration length{0};                     // forward and backward, as estimated
};

struct ListRule {
  int devices = 1;  // of the group
  int replicas = 1;
  PlacementLimits limits;
  LinkEstimate link;
  bool rings = true;  // what no message may carry goes round the ring of the group
  // Gradients go back the way each output came; false: backward is among the operators. Then what
  // summing gradients takes counts as part of the schedule, so that weights are spread.
  bool backward = true;
};

// An operator cut into fewer.
using Repartition = std::function<PartitionedOperator(int op, const OperatorPartition& partition)>;

std::variant<GroupPlacement, Infeasible> list_schedule(
    const std::vector<PartitionedOperator>& operators, const Job& job, const ListRule& rule,
    const Repartition& repartition);

// The same schedule with the pieces where somebody else put them; nothing where a limit forbids it.
std::optional<GroupPlacement> schedule_as(const std::vector<PartitionedOperator>& operators,
                                          const std::vector<std::vector<int>>& devices,
                                          const Job& job, const ListRule& rule);

// What a device holds for a piece.
StageMemory shard_memory(const Shard& shard, const Job& job);

}  // namespace loom
