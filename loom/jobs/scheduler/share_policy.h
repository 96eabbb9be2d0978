// Scheduling policies, which set the number of devices of each job.
//
// random and locality: jobs get their request in arrival order; a job that finds too few devices
// waits and blocks all later jobs. fair (Themis, NSDI 2020): jobs get their request in the order of
// finish-time fairness, (time since arrival + isolated time left) / isolated total time, the
// largest first. Jobs keep their devices during a lease; at its end all devices are reassigned.
//
// goodput (Pollux, OSDI 2021): goodput is samples per second times the efficiency of a sample,
// (critical + requested batch) / (critical + batch). Maximizes the harmonic mean of the speedups,
// goodput / goodput on an even share; a change of devices multiplies a job's speedup by (age -
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
  int holds = 0;     // number of devices the job holds
  double ideal = 0;  // isolated total time, in seconds
  double left = 0;   // isolated time left, in seconds
  int changes = 0;   // number of times the devices of the job changed
  // Goodput on 1, 2, … devices relative to that on the requested devices; 0 if the job cannot run.
  std::vector<double> goodput = {};
};

// Each function takes jobs in arrival order and returns the number of devices per job, in total at
// most `devices`. In shares_in_order(), and in shares_fairly() if `leased`, jobs keep the devices
// they hold.
std::vector<int> shares_in_order(std::span<const ActiveJob> jobs, int devices);
std::vector<int> shares_fairly(std::span<const ActiveJob> jobs, int devices, Duration now,
                               bool leased);
std::vector<int> shares_for_goodput(std::span<const ActiveJob> all, int devices, Duration now,
                                    Duration restart);

double finish_time_fairness(const ActiveJob& job, Duration now);

// The objective that shares_for_goodput() minimizes: the sum over jobs of 1 / speedup; kUnserved
// for a job without devices.
inline constexpr double kUnserved = 1e6;
double slowness(std::span<const ActiveJob> jobs, std::span<const int> shares, int devices,
                Duration now, Duration restart);

}  // namespace loom::jobs
