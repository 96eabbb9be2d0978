// Runs periodic jobs on shared links: profiles, start times and a transport -> the end of each
// iteration and the use of each link.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/jobs/contention/periodic_jobs.h"
#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

struct PeriodicOptions {
  JobTransport transport = {};
  std::vector<Duration> starts = {};  // start of the first iteration per job; empty: all at 0
  std::vector<double> weights = {};   // per job; empty: all 1
  // Iterations per job before it leaves; 0: as many as fit before the horizon.
  std::int64_t iterations = 100;
  Duration horizon = kForever;  // latest end of the run
  // With a fixed number of iterations: finished jobs continue until the last one finishes, so that
  // it does not see emptier links at the end and all jobs are measured over the same time.
  bool stay = true;
  double jitter = 0;
  std::uint64_t seed = 1;
  bool realign = false;  // see Alignment
  double tolerance = 0.05;
  std::vector<Duration> periods = {};  // alignment periods per job; empty: those of the profiles
};

struct PeriodicJobRun {
  std::vector<Duration> start;  // per iteration
  std::vector<Duration> end;
  std::int64_t realignments = 0;

  // The time from the end of one iteration to the end of the next, for the first from its start:
  // what training observes, waiting for realignment included.
  std::vector<Duration> iteration_times() const;
};

struct PeriodicRun {
  std::vector<PeriodicJobRun> jobs;
  std::vector<SharedLinkUse> links;
  Duration end{0};
  // Whether all jobs finished their iterations. False if the horizon came first, or if a job was
  // starved of its links, as srpt allows: the run is abandoned when one iteration has taken as long
  // as 100 iterations of every job run one after another.
  bool complete = true;
};

// Requires iterations or a horizon. Throws InputError, without a source location, if a profile
// cannot be run (zero length, unknown link, negative rate).
PeriodicRun run_periodic(const SharedProfiles& profiles, const PeriodicOptions& options);

}  // namespace loom::jobs
