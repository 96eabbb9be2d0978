// The problem that best_shifts() (time_shifts.h) solves: contending jobs and links, reduced to the
// data that the search needs.
//
// Only links used by at least two jobs matter. Those that no shifts can overload are left out, and
// links with the same demand are merged. Jobs that share no such link, directly or through other
// jobs, do not affect each other, so each connected set of jobs is a problem of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/cassini/link_load.h"
#include "loom/jobs/cassini/time_shifts.h"

namespace loom::jobs {

struct ShiftProblem {
  struct Use {
    int link = 0;  // index within the problem
    std::vector<Burst> bursts;
    std::vector<RateStep> steps;
    double mean = 0;  // mean rate, relative to the link's capacity
  };
  struct Job {
    int index = 0;  // index among all jobs of the profiles
    std::int64_t period = 1;
    std::vector<Use> uses;
    int kind = 0;  // jobs of one kind have identical demand
  };
  struct Link {
    std::vector<int> indices;  // indices of the merged links among all links of the profiles
    double weight = 0;         // weight of the link's excess in the objective
    std::vector<int> jobs;     // indices within the problem
  };
  std::vector<Job> jobs;
  std::vector<Link> links;
};

// Returns one problem per connected set. Each contended link has weight 1 / (number of contended
// links), so that the weighted excesses add up to 1 - mean score; merged links have the sum of
// their weights. Jobs and links keep their order within every problem.
std::vector<ShiftProblem> shift_problems(const SharedProfiles& profiles);

// The problem restricted to these links and the jobs that use them.
ShiftProblem restricted(const ShiftProblem& problem, std::span<const int> links);

// The mean excess on each link with these shifts, not multiplied by the link's weight, and the sum
// over all links of weight times excess.
std::vector<double> link_excesses(const ShiftProblem& problem,
                                  std::span<const std::int64_t> shifts);
double weighted_excess(const ShiftProblem& problem, std::span<const std::int64_t> shifts);

// While only the jobs in `placed` are placed, shifts of `job` that differ by a multiple of this
// value cause the same excess.
std::int64_t shift_range(const ShiftProblem& problem, int job, std::span<const int> placed);

}  // namespace loom::jobs
