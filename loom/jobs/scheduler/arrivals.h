// Random arrivals: a Poisson process of jobs, whose kind, number of devices and number of
// iterations are sampled from given distributions.
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
  Duration every{0};  // mean time between arrivals; 0: follows from `load`
  // Mean fraction of the cluster's devices in use if every job ran as fast as in isolation
  // (CASSINI, NSDI 2024).
  double load = 0;
  std::vector<double> weights;  // relative frequency of each kind; need not add up to 1
  IntegerDistribution devices;
  double max_devices = 1;  // max devices of a job, as a multiple of the requested devices
  IntegerDistribution iterations;
  std::uint64_t seed = 1;
};

// Returns jobs sorted by arrival, the first at 0. `period` returns the isolated period of a kind on
// a number of devices of the reference cluster, which has `devices` devices; it is called only if
// arrivals are given by load. The jobs depend on no other cluster, so that several clusters can be
// compared with the same jobs; their max_devices may exceed the size of a cluster.
std::vector<TraceJob> poisson_jobs(const Arrivals& arrivals, const std::vector<JobKind>& kinds,
                                   int devices,
                                   const std::function<Duration(int kind, int devices)>& period);

}  // namespace loom::jobs
