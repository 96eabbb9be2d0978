// State of a scheduling simulation: the progress and devices of each job, and the simulation of the
// running jobs (periodic_jobs.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loom/jobs/contention/periodic_jobs.h"
#include "loom/jobs/scheduler/scheduling_simulation.h"

namespace loom::jobs {

struct JobState {
  double work = 0;  // length of the job, in iterations on the requested devices
  double done = 0;  // work done before the job got its current devices
  Duration ideal_period{0};
  std::vector<int> devices;  // empty: the job waits
  const PlacedProfile* profile = nullptr;
  int id = -1;        // id in PeriodicJobs; -1: the job waits
  double worth = 1;   // progress per current iteration, in iterations on the requested devices
  Duration since{0};  // time point at which the job got its devices
  Duration begun{0};  // end of the last recorded iteration, or planned start of the first
  bool aligned = false;
};

class SchedulingState {
 public:
  // All arguments must outlive this object.
  SchedulingState(const ClusterTrace& trace, PlacedProfiles& profiles,
                  const SchedulingOptions& options);

  const TraceJob& asked(std::size_t j) const { return trace_.jobs[j]; }
  const JobState& job(std::size_t j) const { return jobs_[j]; }
  Duration now() const { return now_; }
  bool over() const { return ended_ == jobs_.size(); }
  double finished_fraction() const;
  Duration next_arrival() const;
  // The jobs that have arrived and not ended, in arrival order.
  const std::vector<std::size_t>& present() const { return present_; }
  std::vector<bool> free() const;
  int placements(std::size_t j) const { return result_.jobs[j].placements; }
  const std::optional<Infeasible>& infeasible() const { return result_.infeasible; }

  // Advances to `until` or to the first end of a job, whichever is earlier, and adds the jobs that
  // have arrived.
  void advance(Duration until);

  // Starts a waiting job on free devices. Its first iteration begins at `first`, not before now; if
  // `period` is given, the job is aligned to it.
  void start(std::size_t j, std::vector<int> devices, Duration first, Duration period);
  // Stops a running job and frees its devices.
  void stop(std::size_t j);
  // Delays the next iteration of a running job, or aligns the job to a schedule that begins at
  // `from`.
  void delay(std::size_t j, Duration by);
  void align(std::size_t j, Duration from, Duration period);
  void forget_alignment(std::size_t j);
  // Time point at which a running job would begin its next iteration without contention.
  Duration next_begin(std::size_t j) const;

  const PlacedProfile& profile(std::size_t j, const std::vector<int>& devices) {
    return profiles_.of(asked(j).kind, devices);
  }
  // The job as policies see it.
  ActiveJob active(std::size_t j);

  // Records the score of the chosen placement of one decision.
  void note_score(double score, int contended);
  SchedulingResult finish();

 private:
  void prepare(std::size_t j);
  void arrive();
  void harvest();
  void end(std::size_t j);
  const JobKind& kind_of(std::size_t j) const;
  double worth(std::size_t j, int devices) const;
  double goodput(std::size_t j, int devices);
  std::vector<double> goodputs(std::size_t j);

  const ClusterTrace& trace_;
  PlacedProfiles& profiles_;
  const SchedulingOptions& options_;
  std::vector<JobState> jobs_;
  PeriodicJobs simulated_;
  std::vector<std::size_t> job_of_;  // index of the job, per id in PeriodicJobs
  std::vector<std::size_t> present_;
  std::size_t next_ = 0;  // next job to arrive
  std::size_t ended_ = 0;
  Duration now_{0};
  SchedulingResult result_;
};

}  // namespace loom::jobs
