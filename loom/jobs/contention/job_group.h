// A group of jobs that contend with each other and are advanced together; or one uncontended job.
//
// Internal to periodic_jobs.cc. A group exists from one event of its jobs to the next; in between,
// its progress is independent of all other groups.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/base/units.h"
#include "loom/jobs/contention/contention.h"
#include "loom/jobs/contention/mltcp_motion.h"

namespace loom::jobs {

// Transport and scratch buffers shared by all groups.
struct GroupTools {
  JobTransport transport;
  Filling filling = {};
  MltcpMotion mltcp = {};
  std::vector<double> weights = {};
  std::vector<double> left = {};
};

struct JobGroup {
  std::vector<int> jobs;       // ascending
  Contention contention;       // one sender per job; no links if uncontended
  std::vector<double> speeds;  // speed of each job at `since`
  Duration since{0};           // time point up to which the group has been advanced
  Duration due{0};             // time point of the next event of its jobs
  std::uint32_t version = 0;   // incremented when the group ends, so that its event is stale

  // Computes the speeds at `since`, and `due`.
  void set_off(GroupTools& tools);
  // Advances to a time point, at most `due`: updates the remaining times of the stages and `since`.
  void move_to(Duration time_point, GroupTools& tools);

 private:
  bool free() const { return contention.capacity.empty(); }
  bool changes(const GroupTools& tools) const;
  void set_speeds(GroupTools& tools);
  double first_end(GroupTools& tools) const;
  double until_overtaken() const;
};

// Senders by remaining bits, fewest first; ties by index.
std::vector<int> shortest_first(const Contention& contention);

}  // namespace loom::jobs
