// Room for iterations that are not quite on time.
//
// Shifts of least excess put an end right where another burst begins, and often there are others as
// good with room between. What such room is worth shows when every job is late or early by chance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/cassini/shift_tree.h"

namespace loom {

// By how much jobs are off in such trials: CASSINI lets a job drift by 5 % of its iteration before
// it is aligned again.
inline constexpr double kDrift = 0.05;

// The mean excess where each job is early or late by up to that part of its period, evenly spread;
// the same trials every time.
double excess_under_jitter(const ShiftProblem& problem, std::span<const std::int64_t> shifts,
                           double jitter);

// Shifts with the same excess: each job moved to the middle of where it may be, and of several such
// choices the one that suffers least from jitter. At `end` as far as it has come.
std::vector<std::int64_t> with_slack(const ShiftProblem& problem, const FoundShifts& found,
                                     Deadline end);

}  // namespace loom
