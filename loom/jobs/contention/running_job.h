// State of a job that runs its iterations: the current stage, and the change to the next. Internal
// to periodic_jobs.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/jobs/contention/periodic_jobs.h"

namespace loom::jobs {

// Throws InputError, without a source location, if the job cannot be run on these links.
void check_job(const PeriodicJob& job, const std::vector<SharedLink>& links);

class RunningJob {
 public:
  struct Stage {
    Duration length{0};
    std::vector<LinkRate> rates;  // all above 0; empty while computing
    double rate = 0;              // largest of the rates, in bit/s
    double bits_left = 0;         // bits of the iteration to send after this stage
  };

  // The job begins its first iteration at `now`, or waits for its start time.
  RunningJob(PeriodicJob job, int id, Duration now);

  // The current stage; a stage without rates while the job waits.
  const Stage& stage() const { return waiting_ ? wait_ : stages_[at_]; }
  double bits() const { return bits_; }  // per iteration
  double weight() const { return job_.weight; }

  // Ends the current stage and enters the next one of nonzero length. Returns true if an iteration
  // ended; ended() then describes it.
  bool next(Duration now);
  const IterationEnd& ended() const { return ended_; }
  bool done() const { return job_.iterations > 0 && iteration_ >= job_.iterations; }
  std::int64_t iterations() const { return iteration_; }
  std::int64_t realignments() const { return realignments_; }

  void delay(Duration by);
  void align(Duration from, const Alignment& alignment);

  double left = 0;   // remaining time of the stage, in picoseconds at speed 1
  int group = -1;    // group of contending jobs; -1: none at present
  bool here = true;  // false after the job has left

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
  Duration origin_{0};  // start of the alignment schedule
  std::int64_t realignments_ = 0;
  IterationEnd ended_;
};

}  // namespace loom::jobs
