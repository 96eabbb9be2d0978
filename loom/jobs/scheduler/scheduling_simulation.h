// Scheduling simulation: jobs of a cluster trace arrive, wait, get devices, iterate on shared links
// and end. Trace and profiles -> completion times, queueing, link use.
//
// A policy sets the number of devices per job (share_policy.h), locality chooses the devices
// (free_devices.h), and CASSINI, if enabled, the most compatible of several placements
// (align_jobs.h). Decisions are made when a job arrives or ends and at the end of each lease or
// interval; in between, periodic_jobs.h runs the jobs. A new job waits for its time shift; a
// running job is delayed once. Jobs are realigned only if the shifts keep all bursts of a group
// apart: otherwise iterations exceed the period, and waiting would cost more than it gains.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loom/jobs/contention/job_transport.h"
#include "loom/jobs/contention/time_histogram.h"
#include "loom/jobs/profile/placed_profiles.h"
#include "loom/jobs/scheduler/cluster_trace.h"
#include "loom/jobs/scheduler/share_policy.h"

namespace loom::jobs {

struct SchedulingOptions {
  SharePolicy policy = SharePolicy::locality;
  bool cassini = false;
  int candidates = 10;                    // candidate placements per decision, as in CASSINI
  int rack = 1;                           // devices per rack
  Duration lease{600'000'000'000'000};    // time between reassignments of the policy fair
  Duration interval{60'000'000'000'000};  // the same for goodput; Pollux (OSDI 2021) uses 60 s
  // Delay before a job continues on other devices. Pollux, section 5.3, simulates 30 s.
  Duration restart{30'000'000'000'000};
  double jitter = 0;
  double tolerance = 0.05;   // see Alignment; CASSINI realigns at 5 %
  double padding = 0.05;     // max padding, as a fraction of the period
  std::int64_t nodes = 400;  // node budget of the shift search, per group
  JobTransport transport;
  std::uint64_t seed = 1;
  std::function<void(double)> progress;
};

struct ScheduledJobResult {
  std::string name;
  std::string kind;
  int devices = 0;  // number of requested devices
  Duration arrival{0};
  Duration start{0};  // time point at which the job first got devices
  Duration end{0};
  Duration held{0};    // time with devices
  Duration queued{0};  // time without devices
  Duration ideal{0};   // completion time in isolation on adjacent devices
  double device_seconds = 0;
  std::int64_t asked_iterations = 0;  // length of the job, in iterations on the requested devices
  std::int64_t iterations = 0;        // number of iterations run
  int placements = 0;                 // number of times the job got devices
  double racks = 0;                   // number of racks spanned, mean over the job's placements
  std::int64_t realignments = 0;
  TimeHistogram times;  // iteration times, including the wait for realignment

  Duration completion() const { return end - arrival; }
  double slowdown() const {
    return static_cast<double>(completion().count()) / static_cast<double>(ideal.count());
  }
};

struct SchedulingResult {
  std::vector<ScheduledJobResult> jobs;  // in trace order
  TimeHistogram times;                   // all iteration times
  Duration length{0};                    // time from the first arrival to the last end
  double held = 0;                       // fraction of the device time held by jobs
  double computing = 0;                  // fraction of the device time spent computing
  double carried_bytes = 0;              // bytes carried, summed over all links that can be shared
  double excess_bytes = 0;               // demand beyond link capacity: a proxy for ECN marks
  double congested = 0;        // fraction of time with excess demand, mean over used links
  std::int64_t decisions = 0;  // decisions that gave some job devices
  double score = 1;            // CASSINI score of the chosen placement, mean over decisions
  double contended = 0;        // number of links used by several jobs, mean over decisions
  std::optional<Infeasible> infeasible = {};  // why a job cannot run at all

  double excess_per_iteration() const {
    return times.count() == 0 ? 0 : excess_bytes / static_cast<double>(times.count());
  }
};

// The trace and the profiles must have the same kinds, and no job may request more devices than the
// cluster has.
SchedulingResult simulate_scheduling(const ClusterTrace& trace, PlacedProfiles& profiles,
                                     const SchedulingOptions& options);

}  // namespace loom::jobs
