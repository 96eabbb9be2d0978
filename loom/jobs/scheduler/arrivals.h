// Random arrivals: a Poisson process of jobs whose kind, size and length are sampled from given
// distributions.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "loom/base/random.h"
#include "loom/jobs/scheduler/cluster_trace.h"

namespace loom::jobs {

// Uniform distribution over a list of integers, or over the range from first to last.
struct IntegerDistribution {
  std::vector<std::int64_t> listed;
  std::int64_t first = 1;
  std::int64_t last = 1;

  std::int64_t operator()(Random& random) const;
  std::int64_t max() const;
};

struct Arrivals {
  std::int64_t jobs = 0;
  Duration every{0};  // mean time between arrivals; 0: set by load
  // Mean fraction of the cluster's devices in use if every job ran as fast as in isolation
  // (CASSINI, NSDI 2024).
  double load = 0;
  std::vector<double> weights;  // per kind; need not add up to 1
  IntegerDistribution devices;
  double max_devices = 1;  // devices a job can use, as a multiple of those it requests
  IntegerDistribution iterations;
  std::uint64_t seed = 1;
};

// Jobs sorted by arrival, the first at 0. `period` returns the isolated period of a kind on that
// many devices of the reference cluster, which has `devices`; called only if arrivals are given by
// load. On another cluster the same jobs arrive at the same times; max_devices may exceed its size.
std::vector<TraceJob> poisson_jobs(const Arrivals& arrivals, const std::vector<JobKind>& kinds,
                                   int devices,
                                   const std::function<Duration(int kind, int devices)>& period);

}  // namespace loom::jobs
