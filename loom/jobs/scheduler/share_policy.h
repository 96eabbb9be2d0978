// Scheduling policies: how many devices each job of a cluster gets.
//
// in_order: each job's request, in arrival order; a job that finds too few waits and blocks all
// behind it. fairly (Themis, NSDI 2020): the job with the worst finish-time fairness, (time since
// arrival + isolated time left) / isolated total time, comes first and gets its full request or
// waits. No job loses devices during a lease; all devices are reassigned when it ends.
//
// for_goodput (Pollux, OSDI 2021): goodput is samples per second times the efficiency of a sample,
// (critical + requested batch) / (critical + batch). Maximizes the harmonic mean of speedups, the
// goodput over that on an even share; a change of share multiplies a job's speedup by (age -
// changes · restart) / (age + restart). Exact, by dynamic programming in O(jobs · devices · largest
// share).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "loom/base/units.h"

namespace loom::jobs {

enum class SharePolicy : std::uint8_t { random, locality, fair, goodput };
inline constexpr std::array<std::string_view, 4> kSharePolicyNames = {"random", "locality", "fair",
                                                                      "goodput"};

// A job that has arrived and not ended.
struct ActiveJob {
  Duration arrival{0};
  int wanted = 1;
  int holds = 0;     // devices it holds
  double ideal = 0;  // isolated total time, in seconds
  double left = 0;   // isolated time left, in seconds
  int changes = 0;   // number of times its devices changed
  // Goodput on 1, 2, … devices relative to that on the requested number; 0 if it cannot run.
  std::vector<double> goodput = {};
};

// All three take jobs in arrival order and return the devices per job, together at most `devices`.
// Jobs keep the devices they hold in shares_in_order, and in shares_fairly if `leased`.
std::vector<int> shares_in_order(std::span<const ActiveJob> jobs, int devices);
std::vector<int> shares_fairly(std::span<const ActiveJob> jobs, int devices, Duration now,
                               bool leased);
std::vector<int> shares_for_goodput(std::span<const ActiveJob> all, int devices, Duration now,
                                    Duration restart);

double finish_time_fairness(const ActiveJob& job, Duration now);

// The objective that shares_for_goodput minimizes: the sum over jobs of 1 / speedup, or kUnserved
// for a job without devices.
inline constexpr double kUnserved = 1e6;
double slowness(std::span<const ActiveJob> jobs, std::span<const int> shares, int devices,
                Duration now, Duration restart);

}  // namespace loom::jobs
