// Lowers a sharded model on its devices to a workload: one operation per step and micro-batch, in
// pipeline order, iteration after iteration.
#pragma once

#include <functional>

#include "loom/parallelize/shard.h"
#include "loom/place/grid.h"
#include "loom/workload/workload.h"

namespace loom::place {

// The purpose of an operation.
enum class Purpose : std::uint8_t { compute, tensor, context, expert, data, pipeline, optimizer };
inline constexpr std::array<std::string_view, 7> kPurposeNames = {
    "compute", "tensor", "context", "expert", "data", "pipeline", "optimizer"};

struct OperationTag {
  Purpose purpose = Purpose::compute;
  bool forward = true;
  std::int16_t iteration = 0;
  int block = 0;
  int stage = 0;  // its stage; for a message, the sender's
  int chunk = 0;
  int micro_batch = -1;  // -1: once per iteration
};

struct LoweredJob {
  workload::Workload workload;
  std::vector<OperationTag> tags;  // per operation
  int iterations = 1;
};

// Fills in the algorithm of a collective that these groups perform concurrently.
using ChooseAlgorithm = std::function<workload::Collective(const workload::Collective& wanted,
                                                           const workload::Groups& groups)>;

LoweredJob lower(const parallelize::ShardedModel& sharded, int iterations,
                 const ChooseAlgorithm& choose);

// For example "i1.s2.c0.m3.forward.b5.tensor.71": its tag and its number.
std::string operation_name(const LoweredJob& job, std::size_t operation);

}  // namespace loom::place
