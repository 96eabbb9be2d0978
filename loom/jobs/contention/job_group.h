// Jobs that hold each other up, moved on together; or one job that nothing holds up.
//
// Declared here for periodic_jobs.cc. A group lives from one event among its jobs to the next; its
// motion in between depends on nothing else.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/base/units.h"
#include "loom/jobs/contention/contention.h"
#include "loom/jobs/contention/mltcp_motion.h"

namespace loom {

// What groups need while they are moved, kept from one to the next.
struct GroupTools {
  JobTransport transport;
  Filling filling = {};
  MltcpMotion mltcp = {};
  std::vector<double> weights = {};
  std::vector<double> left = {};
};

struct JobGroup {
  std::vector<int> jobs;       // ascending
  Contention contention;       // by job; no links where nothing holds the jobs up
  std::vector<double> speeds;  // by job; where they change, those at `since`
  Duration since{0};
  Duration due{0};            // the next event among its jobs
  std::uint32_t version = 0;  // counts what this place was used for

  // Finds the speeds at `since`, and `due`.
  void set_off(GroupTools& tools);
  // Moves on to that moment, not beyond `due`: what is left of the stages, and `since`.
  void move_to(Duration time_point, GroupTools& tools);

 private:
  bool free() const { return contention.capacity.empty(); }
  bool changes(const GroupTools& tools) const;
  void set_speeds(GroupTools& tools);
  double first_end(GroupTools& tools) const;
  double until_overtaken() const;
};

// Who has fewest bits to send goes first; the lower number among equals.
std::vector<int> shortest_first(const Contention& contention);

}  // namespace loom
