// Lowers a sharded model to a workload on its devices: one operation per step and micro-batch, in
// the order of the pipeline schedule, iteration after iteration.
#pragma once

#include <functional>

#include "loom/parallelize/shard.h"
#include "loom/place/grid.h"
#include "loom/workload/workload.h"

namespace loom::place {

// Purpose of an operation: computation, the parallelism that needs the communication, or the
// optimizer.
enum class Purpose : std::uint8_t { compute, tensor, context, expert, data, pipeline, optimizer };
inline constexpr std::array<std::string_view, 7> kPurposeNames = {
    "compute", "tensor", "context", "expert", "data", "pipeline", "optimizer"};

struct OperationTag {
  Purpose purpose = Purpose::compute;
  bool forward = true;
  std::int16_t iteration = 0;
  int block = 0;
  int stage = 0;  // pipeline stage; for a message between stages, that of the sender
  int chunk = 0;
  int micro_batch = -1;  // -1: the operation runs once per iteration
};

struct LoweredJob {
  workload::Workload workload;
  std::vector<OperationTag> tags;  // per operation
  int iterations = 1;
};

// Returns the collective `wanted` with an algorithm, for groups that run it concurrently.
using ChooseAlgorithm = std::function<workload::Collective(const workload::Collective& wanted,
                                                           const workload::Groups& groups)>;

LoweredJob lower(const parallelize::ShardedModel& sharded, int iterations,
                 const ChooseAlgorithm& choose);

// Weights of the traffic of each purpose when it shares links with other traffic (traffic classes).
using TrafficWeights = std::array<std::int32_t, kPurposeNames.size()>;
inline constexpr TrafficWeights kEqualTraffic = {1, 1, 1, 1, 1, 1, 1};

// The job with the weight of its purpose at every message and collective.
LoweredJob with_weights(LoweredJob job, const TrafficWeights& weights);

// Returns the name of an operation, made of its tag and its number, such as
// "i1.s2.c0.m3.forward.b5.tensor.71".
std::string operation_name(const LoweredJob& job, std::size_t operation);

}  // namespace loom::place
