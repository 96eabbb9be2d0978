// The report of one training job: rates, utilization, memory and time breakdown.
#pragma once

#include <string>
#include <vector>

#include "loom/run/job_algorithms.h"
#include "loom/run/steady_run.h"
#include "loom/run/trace/lanes.h"

namespace loom::run {

// The operators that the tensor ranks divide the same way.
struct SplitOperators {
  parallelize::OperatorSplit split = parallelize::OperatorSplit::uniform;
  std::string names;
};

struct TrainingReport {
  std::string model;
  std::string sample;  // unit of the batch: sequence, image, ...
  parallelize::Strategy strategy;
  plan::Waiting waiting;                            // chosen in place of overlap
  std::optional<plan::SearchReport> search_report;  // partition: co_optimized
  plan::StrategySearch search;
  Duration iteration_time{0};
  int iterations = 0;              // simulated
  double iteration_variation = 0;  // if they are not steady: by how much the last two differ
  double samples_per_second = 0;
  double tokens_per_second = 0;     // 0 if a sample is not a sequence
  double flops_per_device = 0;      // per second, including recomputation
  double model_flops_share = 0;     // fraction of the peak, without recomputation
  parallelize::StageMemory memory;  // memory of the stage that needs most
  std::int64_t batch = 0;
  bool chose_batch = false;                     // whether the search chose the batch
  std::optional<model::TrainingTime> training;  // if the iterations to accuracy are known
  std::string target;                           // the accuracy to reach
  Bytes memory_limit;
  Bytes memory_reserve;       // the part of the limit that the plan leaves free
  Duration bound{0};          // no strategy in the search takes less; 0: unknown
  bool profiled = false;      // given by a profile: flops and memory are unknown
  bool links_change = false;  // links change during the run; estimates of the search ignore this
  std::vector<JobAlgorithm> algorithms;
  std::vector<SplitOperators> splits;  // partition: auto; empty if all are divided the same way
  Explanation explanation;
  std::vector<Lane> lanes;  // the last iteration, if details are requested
};

// Makes a report with the values known before the run. `links_change`: whether links change during
// the run.
TrainingReport training_report(const TrainingPlan& plan, bool links_change);

// Adds the values measured in a completed run.
void add_measurements(const TrainingPlan& plan, const workload::Workload& workload,
                      const Simulated& simulated, TrainingReport& report);

// The strategy in one line.
std::string strategy_text(const TrainingReport& job);

// The time shares of the busiest stage, without "compute" and "optimizer".
std::vector<TimeShare> exposed(const Explanation& explanation);

}  // namespace loom::run
