// A job on its way round its iterations: which stage it is in and what comes next.
//
// Declared here for periodic_jobs.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/jobs/contention/periodic_jobs.h"

namespace loom {

// InputError, without a place, where the job cannot be run on these links.
void check_job(const PeriodicJob& job, const std::vector<SharedLink>& links);

class RunningJob {
 public:
  struct Stage {
    Duration length{0};
    std::vector<LinkRate> rates;  // none is 0; empty while computing
    double rate = 0;              // the largest, in bit/s
    double bits_left = 0;         // of the iteration after this stage
  };

  // Waits for its start, or begins.
  RunningJob(PeriodicJob job, int id, Duration now);

  // The stage it is in; one without rates while it waits.
  const Stage& stage() const { return waiting_ ? wait_ : stages_[at_]; }
  double bits() const { return bits_; }  // of an iteration
  double weight() const { return job_.weight; }

  // The stage is over: goes to the next that takes time. Returns true if an iteration ended, of
  // which `ended` then tells.
  bool next(Duration now);
  const IterationEnd& ended() const { return ended_; }
  bool done() const { return job_.iterations > 0 && iteration_ >= job_.iterations; }
  std::int64_t iterations() const { return iteration_; }
  std::int64_t realignments() const { return realignments_; }

  void delay(Duration by);
  void align(Duration from, const Alignment& alignment);

  double left = 0;   // picoseconds of the stage, at speed 1
  int group = -1;    // -1: between two
  bool here = true;  // has not left

 private:
  void begin_or_wait(Duration now);
  void begin_iteration(Duration now);
  Duration misaligned(Duration now) const;
  bool enter(std::size_t stage);
  Duration jittered(std::size_t stage) const;

  PeriodicJob job_;
  int id_;
  std::vector<Stage> stages_;
  Stage wait_;
  double bits_ = 0;
  std::size_t at_ = 0;
  bool waiting_ = false;
  std::int64_t iteration_ = 0;
  Duration iteration_start_{0};
  Duration delay_{0};
  Duration origin_{0};  // what alignment counts from
  std::int64_t realignments_ = 0;
  IterationEnd ended_;
};

}  // namespace loom
