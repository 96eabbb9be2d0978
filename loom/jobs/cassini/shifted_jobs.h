// A partial solution of the shift search, in which some jobs are placed, and candidate shifts for
// the next job.
//
// With the other jobs fixed, the excess that a job adds is linear in its shift except for kinks,
// where one of its rate steps coincides with a step of the load. If both steps rise or both fall,
// the kink is concave, so minima lie where the end of a burst coincides with the start of another;
// only such shifts are candidates. The same holds for jobs shifted together: for any set of placed
// jobs, some optimal solution has an unplaced job aligned like that with the load of the placed
// jobs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/cassini/shift_problem.h"

namespace loom::jobs {

class ShiftedJobs {
 public:
  explicit ShiftedJobs(const ShiftProblem& problem);

  const ShiftProblem& problem() const { return *problem_; }
  const std::vector<int>& placed() const { return placed_; }  // in placement order
  bool has(int job) const { return has_[static_cast<std::size_t>(job)]; }
  std::int64_t shift(int job) const { return shifts_[static_cast<std::size_t>(job)]; }
  const std::vector<std::int64_t>& shifts() const { return shifts_; }
  const LinkLoad& load(int link) const { return loads_[static_cast<std::size_t>(link)]; }
  // The weighted excess of a link; all excesses of jobs and links in this file are weighted.
  double link_excess(int link) const;
  // Lower bound on the link's excess with any shifts of the unplaced jobs.
  double link_bound(int link) const;

  // Whether a placed job uses one of this job's links.
  bool shares_link(int job) const;
  void place(int job, std::int64_t shift);

 private:
  const ShiftProblem* problem_;
  std::vector<int> placed_;
  std::vector<bool> has_;
  std::vector<std::int64_t> shifts_;
  std::vector<LinkLoad> loads_;
};

// Candidate shifts of an unplaced job.
struct ShiftCandidates {
  struct Candidate {
    std::int64_t shift = 0;
    double added = 0;  // excess that the job adds
  };
  std::int64_t range = 1;               // shifts are equivalent modulo this
  std::vector<Candidate> candidates;    // sorted by shift; empty if all shifts are equivalent
  double min_excess = 0;                // minimum added excess over all shifts
  std::vector<double> min_link_excess;  // minimum added excess on one link only, per use
};

// Places the jobs that share a link with this job, and no others, at these shifts.
ShiftedJobs neighbors_of(const ShiftProblem& problem, int job,
                         std::span<const std::int64_t> shifts);

// The excess that an unplaced job would add at this shift.
double added_excess(const ShiftedJobs& jobs, int job, std::int64_t shift);

// The kinks that become candidates. all: every kink. min_excess: kinks where an optimal solution
// may lie if other jobs are placed later. own: kinks that may be local minima of the excess that
// this job adds, if no other job is placed later.
enum class Kinks : std::uint8_t { all, min_excess, own };
ShiftCandidates shift_candidates(const ShiftedJobs& jobs, int job, Kinks kinks = Kinks::min_excess);

}  // namespace loom::jobs
