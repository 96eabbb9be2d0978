// A cluster over a day: jobs arrive, wait, get devices, go round their iterations on links that
// they share, lose devices or get others, and end.
//
// Who gets how many devices is the policy's business (share_policy.h), which ones that of nearness
// (free_devices.h), and where CASSINI is on, the placement is one of several candidates, the one
// whose jobs go together best (align_jobs.h). Between two decisions jobs run in the fluid simulator
// of periodic jobs (periodic_jobs.h). A decision is made when a job arrives or ends, at the end of
// every lease (fair) and every interval (goodput).
//
// Shifts: a new job waits for its turn before its first iteration. A job that runs is delayed once,
// before its next. Only where shifts keep all bursts of a group apart does a job stay aligned: then
// it waits again when it is off by more than the tolerance. Where bursts meet anyway iterations
// take longer than the period, and waiting for turns would cost more than it gains.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "loom/jobs/contention/job_transport.h"
#include "loom/jobs/contention/time_histogram.h"
#include "loom/jobs/profile/placed_profiles.h"
#include "loom/jobs/scheduler/cluster_trace.h"
#include "loom/jobs/scheduler/share_policy.h"

namespace loom {

struct SchedulingOptions {
  SharePolicy policy = SharePolicy::locality;
  bool cassini = false;
  int candidates = 10;                    // CASSINI, NSDI 2024
  int rack = 1;                           // devices near each other
  Duration lease{600'000'000'000'000};    // fair
  Duration interval{60'000'000'000'000};  // goodput: Pollux, OSDI 2021, decides every 60 s
  // Until a job that had devices runs on others. Pollux, section 5.3, simulates with 30 s.
  Duration restart{30'000'000'000'000};
  double jitter = 0;
  double tolerance = 0.05;  // of a period: CASSINI re-aligns at 5 %
  double padding = 0.05;
  std::int64_t nodes = 400;  // of the search for the shifts of a group
  JobTransport transport;
  std::uint64_t seed = 1;
  std::function<void(double)> progress;
};

struct ScheduledJobResult {
  std::string name;
  std::string kind;
  int devices = 0;  // that it asked for
  Duration arrival{0};
  Duration start{0};  // when it first had devices
  Duration end{0};
  Duration held{0};    // for how long it had some
  Duration queued{0};  // and for how long none
  Duration ideal{0};   // what it would take alone, on devices near each other
  double device_seconds = 0;
  std::int64_t asked_iterations = 0;  // on the devices that it asked for
  std::int64_t iterations = 0;        // that it did
  int placements = 0;                 // how often it got devices
  double racks = 0;                   // that it lay in, mean over its placements
  std::int64_t realignments = 0;
  TimeHistogram times;  // of iterations, waiting for a turn included

  Duration completion() const { return end - arrival; }
  double slowdown() const {
    return static_cast<double>(completion().count()) / static_cast<double>(ideal.count());
  }
};

struct SchedulingResult {
  std::vector<ScheduledJobResult> jobs;  // in the order of the trace
  TimeHistogram times;                   // of all iterations
  Duration length{0};                    // from the first arrival to the last end
  double held = 0;                       // part of the device time for which jobs had devices
  double computing = 0;                  // and for which devices computed
  double carried_bytes = 0;              // by all links that can be shared
  double excess_bytes = 0;               // asked for beyond what links have: a proxy for ECN marks
  double congested = 0;        // part of the time that is so on a link, mean over those used
  std::int64_t decisions = 0;  // that gave some job devices
  double score = 1;            // of what was chosen, mean over decisions, where it was looked at
  double contended = 0;        // links that several jobs use, likewise
  std::string infeasible;      // why some job cannot run at all; "" if all can

  double excess_per_iteration() const {
    return times.count() == 0 ? 0 : excess_bytes / static_cast<double>(times.count());
  }
};

// The trace's kinds are those of the profiles. No job asks for more devices than there are.
SchedulingResult simulate_scheduling(const ClusterTrace& trace, PlacedProfiles& profiles,
                                     const SchedulingOptions& options);

}  // namespace loom
