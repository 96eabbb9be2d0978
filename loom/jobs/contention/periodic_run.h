// Jobs that share links for a while: given profiles, start times and a transport, when each
// iteration ends and what the links carried.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/jobs/contention/periodic_jobs.h"
#include "loom/jobs/profile/job_profile.h"

namespace loom {

struct PeriodicOptions {
  JobTransport transport = {};
  std::vector<Duration> starts = {};  // of first iterations, by job; empty: all at 0
  std::vector<double> weights = {};   // by job; empty: 1 for all
  // Each job does so many and leaves; 0: as many as it can until the horizon.
  std::int64_t iterations = 100;
  Duration horizon = kForever;  // where the run ends at the latest
  // With a number of iterations: jobs that are done go on until the last is, so that it does not
  // find the links emptier at the end and all are measured over the same time.
  bool stay = true;
  double jitter = 0;
  std::uint64_t seed = 1;
  bool realign = false;  // see Alignment
  double tolerance = 0.05;
  std::vector<Duration> periods = {};  // to align with, by job; empty: those of the profiles
};

struct PeriodicJobRun {
  std::vector<Duration> start;  // by iteration
  std::vector<Duration> end;
  std::int64_t realignments = 0;

  // From the end of one iteration to the end of the next, the first from its start: what a training
  // sees, waiting for re-alignment included.
  std::vector<Duration> iteration_times() const;
};

struct PeriodicRun {
  std::vector<PeriodicJobRun> jobs;
  std::vector<SharedLinkUse> links;
  Duration end{0};
  // Whether all jobs did their iterations. Not where the horizon came first, or where others kept
  // one from its links, as srpt may: it is given up when an iteration has taken so long that every
  // job could have gone 100 times round one after another.
  bool complete = true;
};

// Needs iterations or a horizon. InputError, without a place, where a profile cannot be run (no
// length, a link that is not there, a rate of nothing).
PeriodicRun run_periodic(const SharedProfiles& profiles, const PeriodicOptions& options);

}  // namespace loom
