// How many devices each job of a cluster gets: in the order of arrival, by finish-time fairness, or
// by goodput.
//
// in_order: as many as a job asks for; who finds too few waits, and so do all behind it.
//
// fairly, after Themis (NSDI 2020): the finish-time fairness of a job is how long it takes on the
// shared cluster over how long it would take alone, here (waited and run so far + what is left
// alone) / all of it alone. Who fares worst comes first, and gets all it asks for or waits. Devices
// are leased: between the ends of leases nobody loses any, at the end of a lease all are given
// anew.
//
// for_goodput, after Pollux (OSDI 2021): goodput is samples a second times what a sample is worth
// in a batch of that size, (critical + batch asked for) / (critical + batch). Numbers of devices
// make the harmonic mean of speedups largest, a speedup being goodput over that on an even share of
// the cluster; who would change its number has its speedup cut by (age - changes · restart) /
// (age + restart), as there. The best numbers are found exactly, by dynamic programming.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "loom/base/units.h"

namespace loom {

enum class SharePolicy : std::uint8_t { random, locality, fair, goodput };
inline constexpr std::array<std::string_view, 4> kSharePolicyNames = {"random", "locality", "fair",
                                                                      "goodput"};

// A job that has arrived and is not done.
struct ActiveJob {
  Duration arrival{0};
  int wanted = 1;
  int holds = 0;     // devices that it has
  double ideal = 0;  // seconds that all of it takes alone
  double left = 0;   // seconds that the rest takes alone
  int changes = 0;   // how often its devices were changed
  // Goodput on 1, 2, … devices over that on as many as it asks for; 0 where it cannot run.
  std::vector<double> goodput = {};
};

// All three take jobs in the order of arrival, and return a number of devices for each, together at
// most `devices`. Who holds some keeps them in the first, and in the second where `leased`.
std::vector<int> shares_in_order(std::span<const ActiveJob> jobs, int devices);
std::vector<int> shares_fairly(std::span<const ActiveJob> jobs, int devices, Duration now,
                               bool leased);
std::vector<int> shares_for_goodput(std::span<const ActiveJob> all, int devices, Duration now,
                                    Duration restart);

double finish_time_fairness(const ActiveJob& job, Duration now);

// What shares_for_goodput makes least: over all jobs 1 / speedup, and kUnserved for who gets none.
inline constexpr double kUnserved = 1e6;
double slowness(std::span<const ActiveJob> jobs, std::span<const int> shares, int devices,
                Duration now, Duration restart);

}  // namespace loom
