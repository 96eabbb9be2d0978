// The jobs of a cluster's day as they stand: what each has done, on which devices it runs, and the
// simulator that they run in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/jobs/contention/periodic_jobs.h"
#include "loom/jobs/scheduler/scheduling_simulation.h"

namespace loom {

struct JobState {
  double work = 0;  // in iterations on the devices asked for
  double done = 0;  // before it got the devices that it has
  Duration ideal_period{0};
  std::vector<int> devices;  // none: it waits
  const PlacedProfile* profile = nullptr;
  int id = -1;        // in the simulator; -1: it waits
  double worth = 1;   // of an iteration as it runs now, in those asked for
  Duration since{0};  // it has had the devices
  Duration begun{0};  // the iteration that it is in, as far as is known
  bool aligned = false;
};

class SchedulingState {
 public:
  // All three outlive this.
  SchedulingState(const ClusterTrace& trace, PlacedProfiles& profiles,
                  const SchedulingOptions& options);

  const TraceJob& asked(std::size_t j) const { return trace_.jobs[j]; }
  const JobState& job(std::size_t j) const { return jobs_[j]; }
  Duration now() const { return now_; }
  bool over() const { return ended_ == jobs_.size(); }
  double finished_fraction() const;
  Duration next_arrival() const;
  // Those that have arrived and not ended, in the order of arrival.
  const std::vector<std::size_t>& present() const { return present_; }
  std::vector<bool> free() const;
  int placements(std::size_t j) const { return result_.jobs[j].placements; }
  const std::string& infeasible() const { return result_.infeasible; }

  // To `until`, or to the first end of a job before; lets jobs arrive.
  void advance(Duration until);

  // Where it runs next: from `first` on, which is not before now, aligned to that if there is a
  // period. It has no devices, and these are free.
  void start(std::size_t j, std::vector<int> devices, Duration first, Duration period);
  // Takes its devices.
  void stop(std::size_t j);
  // The next iteration of a job that runs begins later, or is aligned from then on.
  void delay(std::size_t j, Duration by);
  void align(std::size_t j, Duration from, Duration period);
  void forget_alignment(std::size_t j);
  // When a job that runs would begin its next iteration if nobody were in its way.
  Duration next_begin(std::size_t j) const;

  const PlacedProfile& profile(std::size_t j, const std::vector<int>& devices) {
    return profiles_.of(asked(j).kind, devices);
  }
  // As a policy sees it.
  ActiveJob active(std::size_t j);

  // Of one decision: what was chosen.
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
  std::vector<std::size_t> job_of_;  // by id of the simulator
  std::vector<std::size_t> present_;
  std::size_t next_ = 0;  // to arrive
  std::size_t ended_ = 0;
  Duration now_{0};
  SchedulingResult result_;
};

}  // namespace loom
