// A training job as the user specifies it: model, accelerator, and the choices already fixed.
#pragma once

#include <optional>
#include <vector>

#include "loom/model/profiled_graph.h"
#include "loom/model/time_to_accuracy.h"
#include "loom/parallelize/choose_partitions.h"
#include "loom/parallelize/shard.h"
#include "loom/place/lower.h"
#include "loom/plan/topoopt/mcmc_options.h"
#include "loom/transport/sharing.h"

namespace loom::plan {

struct Planner;

const Planner& default_planner();

// Choices fixed by the user; the search chooses whatever is unset.
struct StrategyChoice {
  const Planner* planner = &default_planner();
  std::optional<int> group;  // devices over which operators are partitioned individually
  Duration quantum{10'000'000};
  std::vector<parallelize::ManualPartition> manual_partitions = {};
  McmcOptions search = {};  // options of the planner co_optimized
  std::optional<int> tensor;
  std::optional<int> context;
  std::optional<int> expert;
  std::optional<int> data;
  std::optional<int> pipeline;
  std::optional<int> micro_batch;
  std::optional<int> interleave;
  parallelize::PipelineSchedule schedule =
      parallelize::PipelineSchedule::interleaved;  // becomes 1f1b if stages have a single chunk
  std::optional<int> zero;
  std::optional<bool> sequence_parallel;
  std::optional<parallelize::Recompute> recompute;
  std::optional<std::array<parallelize::Dimension, 5>> order;
  bool reorder = false;  // the search also tries other orders for the fastest strategies
};

// A job as given in a scenario, before its strategy is known.
struct JobSpec {
  model::Model model;  // only the name is set if the job is profiled
  std::optional<model::ProfiledGraph> profile =
      {};  // measurements that replace model and accelerator
  parallelize::Job job;
  model::Accelerator accelerator;
  model::MeasuredTimes measured;
  StrategyChoice choice;
  std::optional<workload::Algorithm> algorithm;  // algorithm of its collectives; unset: the fastest
  transport::Sharing sharing = transport::Sharing::fair;
  place::TrafficWeights traffic_weights = place::kEqualTraffic;  // for Sharing::weighted
  int iterations = 2;
  std::optional<model::AccuracyLaw> law = {};  // number of iterations of training, by batch size
  bool any_batch = false;                      // the search may choose the batch
};

}  // namespace loom::plan
