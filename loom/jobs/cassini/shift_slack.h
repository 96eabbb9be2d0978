// Adds slack between bursts, for iterations that are not exactly on time.
//
// Shifts of minimum excess often place the end of one burst exactly at the start of another,
// although equally good shifts leave a gap between them. The value of these gaps is measured by
// delaying or advancing every job by a random time. The last step of best_shifts() (time_shifts.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/cassini/shift_tree.h"

namespace loom::jobs {

// Max random time, as a fraction of the period: CASSINI lets a job drift by 5 % of its iteration
// before it is realigned.
inline constexpr double kDrift = 0.05;

// The mean excess when each job is early or late by a uniformly random time of up to the fraction
// `jitter` of its period. The same random numbers are used in every call.
double excess_under_jitter(const ShiftProblem& problem, std::span<const std::int64_t> shifts,
                           double jitter);

// Returns equally good shifts with more slack: moves each job to the middle of its optimal interval
// and, among several such solutions, returns the one least affected by jitter. At `end` it returns
// the best so far.
std::vector<std::int64_t> with_slack(const ShiftProblem& problem, const FoundShifts& found,
                                     Deadline end);

}  // namespace loom::jobs
