// A training job as a user asks for it: what is trained on what, and what of its strategy is fixed.
#pragma once

#include <optional>
#include <vector>

#include "loom/model/profiled_graph.h"
#include "loom/model/time_to_accuracy.h"
#include "loom/parallelize/choose_partitions.h"
#include "loom/parallelize/shard.h"
#include "loom/plan/topoopt/mcmc_options.h"

namespace loom {

// All operators cut alike, each on its own (SiP-ML), each on its own together with the topology
// (TopoOpt), or whichever of the first two is faster.
enum class Partition : std::uint8_t { uniform, operators, co_optimized, any };
inline constexpr std::array<std::string_view, 3> kPartitionNames = {"uniform", "operators",
                                                                    "co_optimized"};

// What the user has fixed; nothing: the search may choose.
struct StrategyChoice {
  Partition partition = Partition::uniform;
  std::optional<int> group;  // devices over which operators are cut one by one
  Duration quantum{10'000'000};
  std::vector<ManualPartition> manual_partitions = {};
  McmcOptions search = {};  // co_optimized
  std::optional<int> tensor;
  std::optional<int> context;
  std::optional<int> expert;
  std::optional<int> data;
  std::optional<int> pipeline;
  std::optional<int> micro_batch;
  std::optional<int> interleave;
  PipelineSchedule schedule = PipelineSchedule::interleaved;  // 1f1b where there is one chunk
  std::optional<int> zero;
  std::optional<bool> sequence_parallel;
  std::optional<Recompute> recompute;
  std::optional<std::array<Dimension, 5>> order;
};

// A job as a scenario gives it, before its strategy is known.
struct JobSpec {
  Model model;                                // where it is profiled only its name
  std::optional<ProfiledGraph> profile = {};  // measured, in place of model and accelerator
  Job job;
  Accelerator accelerator;
  MeasuredTimes measured;
  StrategyChoice choice;
  std::optional<Algorithm> algorithm;  // of its collectives; nothing: the cheapest
  int iterations = 2;
  std::optional<AccuracyLaw> law = {};  // how many iterations a training takes
  bool any_batch = false;               // the search may choose the batch
};

}  // namespace loom
