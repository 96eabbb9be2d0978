// Runs periodic jobs on shared links: profiles, start times and a transport -> start and end of
// each iteration, and the use of each link.
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
  // Number of iterations of each job; 0: as many as fit before the horizon.
  std::int64_t iterations = 100;
  Duration horizon = kForever;  // latest end of the run
  // true: a job that has finished its iterations continues until all jobs have, so that all are
  // measured under the same contention. false: it leaves.
  bool stay = true;
  double jitter = 0;
  std::uint64_t seed = 1;
  bool realign = false;  // see Alignment
  double tolerance = 0.05;
  std::vector<Duration> periods = {};  // alignment period per job; empty: period of its profile
};

struct PeriodicJobRun {
  std::vector<Duration> start;  // per iteration
  std::vector<Duration> end;
  std::int64_t realignments = 0;

  // The time from the end of one iteration to the end of the next (of the first: from its start),
  // including the wait for realignment.
  std::vector<Duration> iteration_times() const;
};

struct PeriodicRun {
  std::vector<PeriodicJobRun> jobs;
  std::vector<SharedLinkUse> links;
  Duration end{0};
  // Whether all jobs finished their iterations. False if the horizon came first, or if a job got no
  // bandwidth, which can happen under srpt: the run is abandoned when one iteration takes as long
  // as 100 iterations of every job, run one after another.
  bool complete = true;
};

// Requires a number of iterations or a horizon. Throws InputError, without a source location, if a
// profile cannot be run (zero length, unknown link, negative rate).
PeriodicRun run_periodic(const SharedProfiles& profiles, const PeriodicOptions& options);

}  // namespace loom::jobs
