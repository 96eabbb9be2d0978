// Jobs that meet on links, reduced to what a search for shifts needs.
//
// Only contended links count, those of two jobs or more, and jobs that are not joined by such
// links, directly or through others, do not concern each other: each set of jobs that are is a
// problem of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/cassini/compatible.h"
#include "loom/jobs/cassini/link_load.h"

namespace loom {

struct ShiftProblem {
  struct Use {
    int link = 0;  // of the problem
    std::vector<Burst> bursts;
    std::vector<RateStep> steps;
    double mean = 0;  // rate
  };
  struct Job {
    int index = 0;  // among all jobs
    std::int64_t period = 1;
    std::vector<Use> uses;
    int kind = 0;  // jobs of one kind ask for the same
  };
  struct Link {
    std::vector<int> indices;  // among all links
    double weight = 0;         // of its excess
    std::vector<int> jobs;
  };
  std::vector<Job> jobs;
  std::vector<Link> links;
};

// Links of weight 1 / contended links each, so that their excesses add up to what the mean score
// lacks; those that are one have the weight of all. In every problem, jobs and links in their
// order.
std::vector<ShiftProblem> shift_problems(const SharedProfiles& profiles);

// The same with these links of it only, and the jobs that use them.
ShiftProblem restricted(const ShiftProblem& problem, std::span<const int> links);

// What a problem's jobs do to its links when each is turned so far: unweighted, by link.
std::vector<double> link_excesses(const ShiftProblem& problem,
                                  std::span<const std::int64_t> shifts);
double weighted_excess(const ShiftProblem& problem, std::span<const std::int64_t> shifts);

// The turns of a job that differ by so much are alike as long as only `placed` are there.
std::int64_t shift_range(const ShiftProblem& problem, int job, std::span<const int> placed);

}  // namespace loom
