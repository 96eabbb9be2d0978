// A parallelization strategy: the degree of each dimension, the pipeline schedule and the order of
// ranks.
//
// The number of devices is tensor × context × data × pipeline; experts are spread over the data
// ranks. If each operator is partitioned individually (SiP-ML), it is operators × data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/error.h"
#include "loom/model/accelerator.h"
#include "loom/model/model.h"

namespace loom::parallelize {

enum class Dimension : std::uint8_t { tensor, context, expert, data, pipeline };
inline constexpr std::array<std::string_view, 5> kDimensionNames = {"tensor", "context", "expert",
                                                                    "data", "pipeline"};

enum class PipelineSchedule : std::uint8_t { gpipe, one_forward_one_backward, interleaved };
inline constexpr std::array<std::string_view, 3> kScheduleNames = {"gpipe", "1f1b", "interleaved"};

enum class Recompute : std::uint8_t { none, selective, full };
inline constexpr std::array<std::string_view, 3> kRecomputeNames = {"none", "selective", "full"};

// How the tensor ranks divide one operator (operator_split.h).
enum class OperatorSplit : std::uint8_t { uniform, sample, sequence };
inline constexpr std::array<std::string_view, 3> kSplitNames = {"uniform", "sample", "sequence"};

enum class Optimizer : std::uint8_t { adam, sgd };
inline constexpr std::array<std::string_view, 2> kOptimizerNames = {"adam", "sgd"};

struct Strategy {
  int tensor = 1;
  int context = 1;
  int expert = 1;  // a divisor of data
  int data = 1;
  int pipeline = 1;
  int operators = 1;    // group size over which operators are partitioned individually; 1: uniform
  int micro_batch = 1;  // samples; 0: all samples of a device at once
  int interleave = 1;   // chunks of layers on each stage
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  int zero = 0;  // ZeRO stage (arXiv 1910.02054): 1 shards optimizer, 2 + gradients, 3 + weights
  bool sequence_parallel = false;
  Recompute recompute = Recompute::none;
  // Order of the dimensions in device numbers, innermost first: adjacent devices differ in the
  // first dimension.
  std::array<Dimension, 5> order = {Dimension::tensor, Dimension::context, Dimension::expert,
                                    Dimension::data, Dimension::pipeline};
  // Per operator of the model; empty: the tensor ranks divide all operators the same way.
  std::vector<OperatorSplit> splits = {};

  int devices() const { return tensor * context * data * pipeline * operators; }
  bool operator==(const Strategy&) const = default;
};

// Number of ranks along each Dimension; expert ranks are part of the data-parallel ones.
std::array<int, 5> extents(const Strategy& strategy);

// The order of the dimensions that have more than one rank. Orders in which it is the same map
// ranks to the same devices.
std::vector<Dimension> visible_order(const Strategy& strategy);

// "tensor 8, pipeline 4, data 16, micro-batch 1, 1f1b …": degrees above 1, the micro-batch, the
// schedule of a pipeline, and other settings that differ from the default.
std::string to_text(const Strategy& strategy);

// Training settings that do not depend on the strategy.
struct Job {
  std::int64_t batch = 1;  // samples per iteration, over all devices
  model::Precision precision = model::Precision::bf16;
  int gradient_bytes = 4;  // per element, as kept and reduced
  Optimizer optimizer = Optimizer::adam;
  Bytes bucket{25 << 20};         // min size of a gradient reduction
  bool overlap_gradients = true;  // a bucket is reduced as soon as it is full
  bool overlap_pipeline = true;   // a stage computes while it sends to the next
  bool fused_gradients = true;    // a product accumulates into the gradient in place
  double capacity = 1;            // buffer of an expert relative to its fair share of tokens
  double imbalance = 1;           // tokens of the busiest device relative to its fair share
};

// The first reason why the strategy is impossible; nothing if it is possible.
std::optional<Infeasible> objection(const model::Model& model, const Job& job,
                                    const Strategy& strategy);

}  // namespace loom::parallelize
