// A cut model on its devices becomes a workload: every step of every micro-batch an operation, in
// the order of the pipeline, iteration after iteration.
#pragma once

#include <functional>

#include "loom/parallelize/shard.h"
#include "loom/place/grid.h"
#include "loom/workload/workload.h"

namespace loom {

// What an operation is for.
enum class Purpose : std::uint8_t { compute, tensor, context, expert, data, pipeline, optimizer };
inline constexpr std::array<std::string_view, 7> kPurposeNames = {
    "compute", "tensor", "context", "expert", "data", "pipeline", "optimizer"};

struct OperationTag {
  Purpose purpose = Purpose::compute;
  bool forward = true;
  std::int16_t iteration = 0;
  int block = 0;
  int stage = 0;  // that it belongs to; of a message the sender's
  int chunk = 0;
  int micro_batch = -1;  // -1: once in an iteration
};

struct LoweredJob {
  Workload workload;
  std::vector<OperationTag> tags;  // of operations
  int iterations = 1;
};

// Fills in the algorithm for a collective that these groups do side by side.
using ChooseAlgorithm = std::function<Collective(const Collective& wanted, const Groups& groups)>;

LoweredJob lower(const ShardedModel& sharded, int iterations, const ChooseAlgorithm& choose);

// Such as "i1.s2.m3.forward.b5.tensor.71": what it is for, and its number.
std::string operation_name(const LoweredJob& job, std::size_t operation);

}  // namespace loom
