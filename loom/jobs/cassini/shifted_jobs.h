// Partially placed jobs, and candidate shifts for the next one.
//
// With the others fixed, the excess a job adds is linear in its shift except for kinks where one of
// its rate steps coincides with one of the load's. If both steps rise or both fall, the kink is
// concave (excess is convex in the load): so a minimum lies where an end coincides with a start,
// and only such shifts are candidates. The same holds for a set of jobs shifted together: some
// optimal solution has, for any set of placed jobs, an unplaced job aligned in this way with the
// load of the placed ones.
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
  // Weighted, like all excesses of jobs and links here.
  double link_excess(int link) const;
  // Lower bound on the link's excess, whatever shifts the unplaced jobs get.
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
    double added = 0;  // added excess
  };
  std::int64_t range = 1;               // shifts are equivalent modulo this
  std::vector<Candidate> candidates;    // sorted by shift; empty if all shifts are equivalent
  double min_excess = 0;                // minimum over all shifts
  std::vector<double> min_link_excess;  // per use: minimum on that link only
};

// The jobs that share a link with this job, and only those, at these shifts.
ShiftedJobs neighbors_of(const ShiftProblem& problem, int job,
                         std::span<const std::int64_t> shifts);

// The excess that an unplaced job would add at this shift.
double added_excess(const ShiftedJobs& jobs, int job, std::int64_t shift);

// Which kinks become candidates: `all`; `min_excess`, those where an optimum of the unplaced jobs
// may lie; `own`, the local minima of the excess this job adds if no other job is placed later.
enum class Kinks : std::uint8_t { all, min_excess, own };
ShiftCandidates shift_candidates(const ShiftedJobs& jobs, int job, Kinks kinks = Kinks::min_excess);

}  // namespace loom::jobs
