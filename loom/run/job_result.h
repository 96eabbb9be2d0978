// What came out for a training job.
#pragma once

#include <string>
#include <vector>

#include "loom/run/explain.h"
#include "loom/run/plan.h"

namespace loom {

struct JobResult {
  std::string model;
  std::string sample;  // what a batch counts
  Strategy strategy;
  std::optional<SearchReport> search_report;  // partition: co_optimized
  StrategySearch search;
  Duration iteration_time{0};
  double samples_per_second = 0;
  double tokens_per_second = 0;  // 0 where a sample is not a sequence
  double flops_per_device = 0;   // per second, with what is recomputed
  double model_flops_share = 0;  // of the peak, nothing counted twice
  StageMemory memory;            // of the stage that needs most
  std::int64_t batch = 0;
  bool chose_batch = false;              // the search did
  std::optional<TrainingTime> training;  // where iterations to accuracy are known
  std::string target;                    // the accuracy that is meant
  Bytes memory_limit;
  bool profiled = false;      // of its work and memory nothing is known
  bool links_change = false;  // which no price of the search sees
  Explanation explanation;
};

// From the moments of a run.
JobResult job_result(const Prepared& prepared, const Outcome& outcome, const RankTaskLog& log);

// The strategy in a line.
std::string strategy_text(const JobResult& job);

// The part of the iteration that the busiest stage spends on what is not its own work.
std::vector<TimeShare> exposed(const Explanation& explanation);

}  // namespace loom
