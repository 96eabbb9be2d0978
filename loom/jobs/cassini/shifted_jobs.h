// Some jobs turned, and where the next may go.
//
// While the others stay, the excess that a job adds is linear in its shift but for kinks where a
// step of its own meets one of the load. Where both go up, or both down, the kink bends down
// (excess is convex in the load): the least lies where an end meets a beginning, and only such
// turns are tried.
//
// The same holds for a set of jobs moved together: so of all best choices of shifts there is one in
// which, whatever jobs are placed already, some job of those left has such a meeting with the load
// of the placed ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/cassini/shift_problem.h"

namespace loom {

class ShiftedJobs {
 public:
  explicit ShiftedJobs(const ShiftProblem& problem);

  const ShiftProblem& problem() const { return *problem_; }
  const std::vector<int>& placed() const { return placed_; }  // in the order they were
  bool has(int job) const { return has_[static_cast<std::size_t>(job)]; }
  std::int64_t shift(int job) const { return shifts_[static_cast<std::size_t>(job)]; }
  const std::vector<std::int64_t>& shifts() const { return shifts_; }
  const LinkLoad& load(int link) const { return loads_[static_cast<std::size_t>(link)]; }
  // Weighted, as all excesses of jobs and links here.
  double link_excess(int link) const;
  // That jobs placed cannot lessen, whatever those not placed do.
  double link_bound(int link) const;

  // Whether a job placed uses one of its links.
  bool shares_link(int job) const;
  void place(int job, std::int64_t shift);

 private:
  const ShiftProblem* problem_;
  std::vector<int> placed_;
  std::vector<bool> has_;
  std::vector<std::int64_t> shifts_;
  std::vector<LinkLoad> loads_;
};

// Where a job that is not placed may go.
struct ShiftCandidates {
  struct Candidate {
    std::int64_t shift = 0;
    double added = 0;  // excess
  };
  std::int64_t range = 1;               // shifts that differ by so much are alike
  std::vector<Candidate> candidates;    // by shift; none where every one is alike
  double min_excess = 0;                // of all shifts there are
  std::vector<double> min_link_excess;  // by use: of the link alone
};

// All that meet the job on some link, and nobody else, so turned.
ShiftedJobs neighbours_of(const ShiftProblem& problem, int job,
                          std::span<const std::int64_t> shifts);

// What a job that is not placed would add at this shift.
double added_excess(const ShiftedJobs& jobs, int job, std::int64_t shift);

// `all` kinks, those where the least of some choice of the jobs not placed may lie, or those where
// what this job adds has a least while nothing else is placed.
enum class Kinks : std::uint8_t { all, min_excess, own };
ShiftCandidates shift_candidates(const ShiftedJobs& jobs, int job, Kinks kinks = Kinks::min_excess);

}  // namespace loom
