// Jobs that arrive by chance: at times that know nothing of each other (a Poisson process), each of
// a kind, size and length drawn from those given.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "loom/base/random.h"
#include "loom/jobs/scheduler/cluster_trace.h"

namespace loom {

// A whole number by chance: each of those listed, or each from first to last, as likely.
struct IntegerDistribution {
  std::vector<std::int64_t> listed;
  std::int64_t first = 1;
  std::int64_t last = 1;

  std::int64_t operator()(Random& random) const;
  std::int64_t max() const;
};

struct Arrivals {
  std::int64_t jobs = 0;
  Duration every{0};  // mean time from arrival to arrival; 0: by load
  // The devices that jobs would hold on average if each took what it takes alone, as a part of the
  // cluster's (CASSINI, NSDI 2024).
  double load = 0;
  std::vector<double> weights;  // of the kinds; they need not add up to 1
  IntegerDistribution devices;
  double max_devices = 1;  // times as many as it asks for, that a job can use
  IntegerDistribution iterations;
  std::uint64_t seed = 1;
};

// By arrival, the first at 0. `period` is that of a kind alone on so many devices of the cluster
// whose load is given, which has `devices`; asked for only where arrivals go by load. On another
// cluster the same jobs come at the same times; they may be able to use more devices than it has.
std::vector<TraceJob> poisson_jobs(const Arrivals& arrivals, const std::vector<JobKind>& kinds,
                                   int devices,
                                   const std::function<Duration(int kind, int devices)>& period);

}  // namespace loom
