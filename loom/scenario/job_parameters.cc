#include "loom/scenario/job_parameters.h"

#include "loom/model/time_to_accuracy.h"
#include "loom/plan/planners.h"

namespace loom::scenario {
namespace {

constexpr Parameter degree(std::string_view name, std::string_view summary,
                           std::string_view fallback = "auto") {
  return {.name = name,
          .type = ValueType::integer,
          .summary = summary,
          .fallback = fallback,
          .min = 1,
          .max = 1 << 20,
          .automatic = true};
}

constexpr Parameter boolean(std::string_view name, std::string_view summary) {
  return {.name = name, .type = ValueType::boolean, .summary = summary, .fallback = "true"};
}

constexpr std::array kJob = {
    Parameter{.name = "model",
              .type = ValueType::text,
              .summary = "name of a model; 'lightloom models' lists them"},
    Parameter{.name = "batch",
              .type = ValueType::integer,
              .summary = "samples per iteration over all devices; if not given, batch_per_device "
                         "times the devices; auto: the batch that trains to accuracy fastest",
              .min = 1,
              .max = 1'000'000'000,
              .automatic = true},
    Parameter{.name = "batch_per_device",
              .type = ValueType::integer,
              .summary = "samples per device in place of batch (weak scaling)",
              .fallback = "1",
              .min = 1,
              .max = 1'000'000},
    Parameter{.name = "partition",
              .type = ValueType::choice,
              .summary =
                  "sharding of the model; uniform: all layers the same way; operators: each "
                  "operator separately (SiP-ML); co_optimized: each operator, jointly with "
                  "the topology (TopoOpt); auto: the fastest of uniform, operators, and uniform "
                  "improved operator by operator",
              .fallback = "uniform",
              .choices = plan::kPlannerNames,
              .automatic = true},
    degree("group",
           "devices per replica of the model, over which each operator is partitioned (partition: "
           "operators)"),
    Parameter{.name = "quantum",
              .type = ValueType::duration,
              .summary =
                  "minimum kernel time of each piece of a partitioned operator, which limits the "
                  "degree (partition: operators)",
              .fallback = "10 us"},
    Parameter{.name = "manual_partitions",
              .type = ValueType::text,
              .summary =
                  "operator partitions that are given, not searched: NAME=DIMENSION/DEGREE, "
                  "separated by commas; NAME may contain *, DIMENSION is sample, parameter or "
                  "attribute"},
    Parameter{.name = "proposals",
              .type = ValueType::integer,
              .summary = "proposed strategy changes per round (co_optimized)",
              .fallback = "5000",
              .min = 0,
              .max = 100'000'000},
    Parameter{.name = "rounds",
              .type = ValueType::integer,
              .summary = "maximum number of rounds (co_optimized); each optimizes the strategy, "
                         "then the topology",
              .fallback = "4",
              .min = 1,
              .max = 100},
    Parameter{.name = "chains",
              .type = ValueType::integer,
              .summary = "parallel MCMC chains that share the proposals (co_optimized)",
              .fallback = "4",
              .min = 1,
              .max = 1024},
    Parameter{.name = "alpha",
              .type = ValueType::real,
              .summary = "MCMC inverse temperature: a change that makes the iteration slower by a "
                         "fraction x is accepted with probability exp(-alpha x) (co_optimized)",
              .fallback = "100"},
    degree("tensor", "ranks that shard each layer (Megatron-LM)"),
    degree("pipeline", "pipeline stages"),
    degree("data", "number of replicas; if not given, the devices divided by the other dimensions"),
    degree("context", "ranks that shard each sequence", "1"),
    degree("expert", "ranks that shard the experts; a divisor of data"),
    degree("micro_batch", "samples per micro-batch"),
    degree("interleave", "chunks of layers per stage"),
    Parameter{.name = "schedule",
              .type = ValueType::choice,
              .summary = "pipeline schedule; interleaved with one chunk is 1f1b",
              .fallback = "interleaved",
              .choices = parallelize::kScheduleNames},
    Parameter{.name = "zero",
              .type = ValueType::integer,
              .summary = "ZeRO stage: 1 shards optimizer state, 2 also gradients, 3 also weights",
              .fallback = "1",
              .max = 3,
              .automatic = true},
    Parameter{.name = "sequence_parallel",
              .type = ValueType::boolean,
              .summary = "sequence parallelism: tensor ranks also shard the activations between "
                         "tensor-parallel layers",
              .fallback = "true",
              .automatic = true},
    Parameter{.name = "recompute",
              .type = ValueType::choice,
              .summary = "activations that the backward pass recomputes",
              .fallback = "auto",
              .choices = parallelize::kRecomputeNames,
              .automatic = true},
    Parameter{.name = "order",
              .type = ValueType::text,
              .summary = "order in which parallelism dimensions map to device numbers, innermost "
                         "first; auto tries all. If it is not given, a search also tries the other "
                         "orders of its fastest strategies",
              .fallback = "tensor,context,expert,data,pipeline"},
    Parameter{.name = "precision",
              .type = ValueType::choice,
              .summary = "precision of matrix products and activations; auto: the first available "
                         "of bf16, fp16 and "
                         "fp32",
              .fallback = "auto",
              .choices = model::kPrecisionNames,
              .automatic = true},
    Parameter{.name = "gradients",
              .type = ValueType::choice,
              .summary = "precision in which gradients are stored and reduced",
              .fallback = "fp32",
              .choices = kGradientNames},
    Parameter{.name = "optimizer",
              .type = ValueType::choice,
              .summary = "optimizer: adam stores 12 bytes per parameter, sgd with momentum 8",
              .fallback = "adam",
              .choices = parallelize::kOptimizerNames},
    Parameter{.name = "bucket",
              .type = ValueType::size,
              .summary = "minimum size of a gradient bucket (PyTorch's default)",
              .fallback = "25 MiB",
              .min = 1},
    boolean("overlap_gradients", "overlap of gradient reduction with the backward pass"),
    boolean("overlap_pipeline",
            "overlap of a stage's computation with its sends to the next stage"),
    boolean(
        "fused_gradients",
        "accumulation of gradients inside matrix products, without a separate pass over memory"),
    Parameter{.name = "capacity",
              .type = ValueType::real,
              .summary = "capacity of an expert as a multiple of its fair share of tokens",
              .fallback = "1"},
    Parameter{.name = "imbalance",
              .type = ValueType::real,
              .summary = "load of the busiest device as a multiple of its fair share of tokens",
              .fallback = "1"},
    Parameter{.name = "algorithm",
              .type = ValueType::choice,
              .summary = "collective algorithm, used wherever it can perform the collective; auto: "
                         "the fastest according to the coarse engine",
              .fallback = "auto",
              .choices = workload::kAlgorithmNames,
              .automatic = true},
    Parameter{.name = "traffic_weights",
              .type = ValueType::text,
              .summary = "traffic classes: weights of tensor, context, expert, data and pipeline "
                         "traffic where they share a link, such as tensor=8,pipeline=8; 1 if not "
                         "given"},
    Parameter{.name = "kernel_times",
              .type = ValueType::text,
              .summary = "CSV file of measured times: operator, pass, time"},
    model::kAccuracyParameters[0],
    model::kAccuracyParameters[1],
    model::kAccuracyParameters[2],
    Parameter{
        .name = "iterations",
        .type = ValueType::integer,
        .summary =
            "simulated iterations; if not given, repeated until two in a row take equally long",
        .fallback = "2",
        .min = 1,
        .max = 100},
};

}  // namespace

std::span<const Parameter> job_parameters() { return kJob; }

}  // namespace loom::scenario
