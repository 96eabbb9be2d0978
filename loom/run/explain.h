// Where the time of one iteration of a job goes.
//
// For a device: its computations, and for every gap between them what it waited for: a collective
// that is under way, the slowest rank of it, or a stage of the pipeline that has not sent yet. For
// the job: the critical path, back from the last operation to the iteration's begin. Both are made
// of the engine's own moments and add up to the iteration time exactly.
#pragma once

#include <string>
#include <vector>

#include "loom/place/lower.h"
#include "loom/simulate/engine.h"

namespace loom {

// Keeps every part of a run, or of one device among those alike.
class RankTaskLog : public Observer {
 public:
  bool wants_each() const override { return false; }
  bool wants_tasks() const override { return true; }
  void task(const RankTaskRecord& record) override { tasks_.push_back(record); }
  void equivalent(std::span<const int> representatives) override {
    representatives_.assign(representatives.begin(), representatives.end());
  }
  const std::vector<RankTaskRecord>& tasks() const { return tasks_; }
  int representative(int device) const {
    return representatives_.empty() ? device : representatives_[static_cast<std::size_t>(device)];
  }

 private:
  std::vector<RankTaskRecord> tasks_;
  std::vector<int> representatives_;  // by device; empty: all stand for themselves
};

struct TimeShare {
  std::string name;  // "compute", "tensor all_reduce", "pipeline bubble", …
  Duration time{0};
};

struct StageTime {
  int stage = 0;
  int device = 0;                 // that the shares are of
  std::vector<TimeShare> shares;  // sum up to the iteration time
};

struct PathSegment {
  Duration from{0};
  Duration to{0};
  int device = 0;
  Purpose purpose = Purpose::compute;
  std::string name;
};

struct Explanation {
  Duration from{0};  // of the last iteration
  Duration to{0};
  std::vector<StageTime> stages;   // the first device of each
  std::size_t busiest = 0;         // the stage that computes most
  std::vector<PathSegment> path;   // in the order of time, pieces alike taken together
  std::vector<TimeShare> on_path;  // the path by name, largest first
};

Explanation explain(const LoweredJob& job, const Workload& workload, const RankTaskLog& log);

// A part as a reader would name it: "forward of micro-batch 3", "tensor all_reduce".
std::string task_name(const LoweredJob& job, const Workload& workload, std::size_t operation);

}  // namespace loom
