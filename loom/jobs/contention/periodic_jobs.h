// Jobs that come, go round their iterations on shared links, and leave.
//
// A fluid simulation from event to event. A stage that gets all it asks takes its length to the
// picosecond. Jobs that meet on a link that is asked for more than it has form a group, and the
// transport says how fast each goes (job_transport.h); groups do not know of each other, so an
// event costs the jobs of its group and not all there are. Under fair, weighted and srpt speeds are
// constant between events. Under mltcp they follow an ordinary differential equation, integrated
// with a bounded error (mltcp_motion.h). The end of a stretched stage is rounded up to a
// picosecond, and nothing else is rounded.
//
// What happens at one moment has one outcome, whatever the order of the calls that led there.
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

namespace loom {

// Keeps a job in step with the times at which its iterations ought to begin: its start and every
// period after that. An iteration that would begin off these by more than the tolerance, in parts
// of the period, waits for the next of them (CASSINI, NSDI 2024, re-aligns at 5 %).
struct Alignment {
  Duration period{0};
  double tolerance = 0.05;
};

struct PeriodicJob {
  JobProfile profile;
  Duration start{0};            // of the first iteration; no earlier than now
  std::int64_t iterations = 0;  // after which it leaves; 0: it stays
  double weight = 1;            // for weighted and mltcp
  double jitter = 0;            // each computation takes exp(jitter * normal) times its length
  std::uint64_t seed = 1;
  std::optional<Alignment> align = {};
};

struct IterationEnd {
  int job = 0;
  std::int64_t iteration = 0;  // from 0
  Duration start{0};
  Duration end{0};

  bool operator==(const IterationEnd&) const = default;
};

struct SharedLinkUse {
  double bytes = 0;         // that went over it
  Duration congested{0};    // the time for which it was asked for more than it has
  double excess_bytes = 0;  // and how much more, added up over that time: a proxy for ECN marks
};

class PeriodicJobs {
 public:
  PeriodicJobs(std::vector<SharedLink> links, const JobTransport& transport);
  ~PeriodicJobs();
  PeriodicJobs(PeriodicJobs&&) noexcept;
  PeriodicJobs& operator=(PeriodicJobs&&) noexcept;

  // Ids count up from 0 and are not used again.
  int start(PeriodicJob job);
  void stop(int id);  // now; nothing if it has left
  // The next iteration begins that much later than it would, and its alignment is moved with it.
  void delay(int id, Duration by);
  // From the next iteration on; replaces the job's alignment, its times counted from `from`.
  void align(int id, Duration from, const Alignment& alignment);

  // To `until`, or to the first moment at which jobs that count their iterations leave, if that is
  // earlier. Returns the moment.
  Duration advance(Duration until);
  Duration now() const;
  // The next moment at which anything happens; kForever if nothing does.
  Duration next_event() const;
  // Those that left in the last advance(), in ascending order.
  std::span<const int> left() const;
  bool running(int id) const;
  std::int64_t iterations_done(int id) const;

  // The iterations that ended since this was last called, by end and job.
  std::vector<IterationEnd> take_iterations();

  // Up to now.
  SharedLinkUse use(int link) const;
  // The bandwidth, in bit/s, that a job has now on the busiest of its links.
  double bandwidth(int id) const;
  // Of all stages that asked for re-alignment, how many iterations waited.
  std::int64_t realignments(int id) const;

 private:
  class State;
  std::vector<SharedLink> links_;
  std::unique_ptr<State> state_;
};

}  // namespace loom
