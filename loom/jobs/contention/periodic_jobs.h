// Fluid simulation of periodic jobs that start, iterate on shared links and leave.
//
// Event-driven. A stage that gets its full rate takes exactly its length. Jobs that share an
// overloaded link form a group, and the transport sets their speeds (job_transport.h); groups are
// independent, so an event costs only the jobs of its group. Under fair, weighted and srpt, speeds
// are constant between events; under mltcp they follow a differential equation that is integrated
// with bounded error (mltcp_motion.h). Only the end of a stretched stage is rounded, up to the next
// picosecond. The outcome of simultaneous events does not depend on the order of calls.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loom/base/units.h"
#include "loom/jobs/contention/job_transport.h"
#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

// Keeps a job on its schedule, in which iterations begin at the job's start and every period after
// that. An iteration that would begin off schedule by more than the tolerance, a fraction of the
// period, waits for the next scheduled time (CASSINI, NSDI 2024, realigns at 5 %).
struct Alignment {
  Duration period{0};
  double tolerance = 0.05;
};

struct PeriodicJob {
  JobProfile profile;
  Duration start{0};            // start of the first iteration; if in the past, the job starts now
  std::int64_t iterations = 0;  // number of iterations after which the job leaves; 0: it stays
  double weight = 1;            // used by weighted and mltcp
  double jitter = 0;  // the length of a computation is multiplied by exp(jitter · N(0, 1))
  std::uint64_t seed = 1;
  std::optional<Alignment> align = {};
};

struct IterationEnd {
  int job = 0;
  std::int64_t iteration = 0;  // counts from 0
  Duration start{0};
  Duration end{0};

  bool operator==(const IterationEnd&) const = default;
};

struct SharedLinkUse {
  double bytes = 0;         // bytes carried
  Duration congested{0};    // time during which demand exceeded capacity
  double excess_bytes = 0;  // demand beyond capacity in that time: a proxy for ECN marks
};

class PeriodicJobs {
 public:
  PeriodicJobs(std::vector<SharedLink> links, const JobTransport& transport);
  ~PeriodicJobs();
  PeriodicJobs(PeriodicJobs&&) noexcept;
  PeriodicJobs& operator=(PeriodicJobs&&) noexcept;

  // Adds a job and returns its id. Ids count up from 0 and are not reused.
  int start(PeriodicJob job);
  // Stops a job immediately; no effect if the job has left.
  void stop(int id);
  // Delays the job's next iteration and shifts its alignment by the same time.
  void delay(int id, Duration by);
  // Replaces the job's alignment from the next iteration on; scheduled times count from `from`.
  void align(int id, Duration from, const Alignment& alignment);

  // Advances to `until`, or to the first time at which jobs finish their last iteration and leave,
  // whichever is earlier. Returns that time.
  Duration advance(Duration until);
  Duration now() const;
  // The time of the next event; kForever if there is none.
  Duration next_event() const;
  // The jobs that left in the last advance(), ascending.
  std::span<const int> left() const;
  bool running(int id) const;
  std::int64_t iterations_done(int id) const;

  // The iterations that ended since the last call, sorted by end and job.
  std::vector<IterationEnd> take_iterations();

  // Totals of a link up to now.
  SharedLinkUse use(int link) const;
  // A job's current bandwidth on the busiest of its links, in bit/s.
  double bandwidth(int id) const;
  // The number of iterations that waited for realignment.
  std::int64_t realignments(int id) const;

 private:
  class State;
  std::vector<SharedLink> links_;
  std::unique_ptr<State> state_;
};

}  // namespace loom::jobs
