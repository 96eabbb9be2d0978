// Breakdown of one iteration of a training job: time per device, and critical path.
//
// Per device: its computations, and the cause of every gap between them. The cause is a collective
// in progress, a rank that has not joined it, or a pipeline stage that has not sent yet. Per job:
// the critical path from the last operation back to the start of the iteration. Both only classify
// times that the engine reports, so each adds up to the iteration time exactly.
#pragma once

#include <string>
#include <vector>

#include "loom/place/lower.h"
#include "loom/simulate/engine.h"

namespace loom::run {

// Records every rank task of a run, or only those of one device per set of equivalent devices.
class RankTaskLog : public simulate::Observer {
 public:
  bool wants_each() const override { return false; }
  bool wants_tasks() const override { return true; }
  void task(const simulate::RankTaskRecord& record) override { tasks_.push_back(record); }
  void equivalent(std::span<const DeviceId> representatives) override {
    representatives_.assign(representatives.begin(), representatives.end());
  }
  const std::vector<simulate::RankTaskRecord>& tasks() const { return tasks_; }
  DeviceId representative(DeviceId device) const {
    return representatives_.empty() ? device : representatives_[static_cast<std::size_t>(device)];
  }

 private:
  std::vector<simulate::RankTaskRecord> tasks_;
  std::vector<DeviceId> representatives_;  // by device; empty: each device represents itself
};

struct TimeShare {
  std::string name;  // "compute", "tensor all_reduce", "pipeline bubble", …
  Duration time{0};
};

struct StageTime {
  int stage = 0;
  int device = 0;                 // the device whose time this is
  std::vector<TimeShare> shares;  // sum up to the iteration time
};

struct PathSegment {
  TimePoint from;
  TimePoint to;
  int device = 0;
  place::Purpose purpose = place::Purpose::compute;
  std::string name;
};

struct Explanation {
  TimePoint from;  // start of the last iteration
  TimePoint to;
  std::vector<StageTime> stages;   // each represented by its first device
  std::size_t busiest = 0;         // the stage that computes longest
  std::vector<PathSegment> path;   // in time order; adjacent segments with equal names merged
  std::vector<TimeShare> on_path;  // total time on the path by name, largest first
};

Explanation explain(const place::LoweredJob& job, const workload::Workload& workload,
                    const RankTaskLog& log);

// The name of a rank task for readers: "forward of micro-batch 3", "tensor all_reduce".
std::string task_name(const place::LoweredJob& job, const workload::Workload& workload,
                      std::size_t operation);

}  // namespace loom::run
