// How a job is cut over devices: along which dimensions, into how many, and in what order of time.
//
// tensor × context × data × pipeline is the number of devices; experts are spread inside data. Or
// operators × data, where each operator is cut on its own (SiP-ML).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loom/model/accelerator.h"
#include "loom/model/model.h"

namespace loom {

enum class Dimension : std::uint8_t { tensor, context, expert, data, pipeline };
inline constexpr std::array<std::string_view, 5> kDimensionNames = {"tensor", "context", "expert",
                                                                    "data", "pipeline"};

enum class PipelineSchedule : std::uint8_t { gpipe, one_forward_one_backward, interleaved };
inline constexpr std::array<std::string_view, 3> kScheduleNames = {"gpipe", "1f1b", "interleaved"};

enum class Recompute : std::uint8_t { none, selective, full };
inline constexpr std::array<std::string_view, 3> kRecomputeNames = {"none", "selective", "full"};

enum class Optimizer : std::uint8_t { adam, sgd };
inline constexpr std::array<std::string_view, 2> kOptimizerNames = {"adam", "sgd"};

struct Strategy {
  int tensor = 1;
  int context = 1;
  int expert = 1;  // divides data
  int data = 1;
  int pipeline = 1;
  int operators = 1;    // devices of a group over which operators are cut one by one; 1: not so
  int micro_batch = 1;  // samples; 0: what a device has, at once
  int interleave = 1;   // chunks of layers on each stage
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  int zero = 0;  // ZeRO stage (arXiv 1910.02054): 1 optimizer, 2 and gradients, 3 and weights
  bool sequence_parallel = false;
  Recompute recompute = Recompute::none;
  // Of device numbers, innermost first: neighbours on the fabric differ in the first.
  std::array<Dimension, 5> order = {Dimension::tensor, Dimension::context, Dimension::expert,
                                    Dimension::data, Dimension::pipeline};

  int devices() const { return tensor * context * data * pipeline * operators; }
  bool operator==(const Strategy&) const = default;
};

// "tensor 8, pipeline 4, data 16, micro-batch 1 …": what differs from doing nothing.
std::string to_text(const Strategy& strategy);

// What is trained and how its steps are carried out, whatever the strategy.
struct Job {
  std::int64_t batch = 1;  // samples in one iteration, over all devices
  Precision precision = Precision::bf16;
  int gradient_bytes = 4;  // of one element as it is kept and reduced
  Optimizer optimizer = Optimizer::adam;
  Bytes bucket{25 << 20};         // gradients are reduced in pieces of at least so much
  bool overlap_gradients = true;  // a bucket is reduced as soon as it is there
  bool overlap_pipeline = true;   // a stage goes on while it sends to the next
  bool fused_gradients = true;    // a product adds to the gradient where it lies
  double capacity = 1;            // buffer of an expert over its fair share of tokens
  double imbalance = 1;           // tokens of the busiest device's experts over its fair share
};

// The first reason why the job cannot be cut so; "" if there is none.
std::string objection(const Model& model, const Job& job, const Strategy& strategy);

}  // namespace loom
