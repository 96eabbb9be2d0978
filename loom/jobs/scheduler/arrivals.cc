#include "loom/jobs/scheduler/arrivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "loom/base/error.h"

namespace loom::jobs {
namespace {

// Random streams that are independent of each other and of other uses of the seed.
constexpr std::uint64_t kWhatStream = 0x6b696e64;
constexpr std::uint64_t kWhenStream = 0x77686e;

// Uniform on (0, 1), without the end points.
double uniform(Random& random) {
  constexpr std::uint32_t kSteps = 1U << 30;
  return (static_cast<double>(random(kSteps)) + 0.5) / kSteps;
}

std::size_t sampled_kind(const std::vector<double>& weights, Random& random) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  double left = uniform(random) * all;
  for (std::size_t k = 0; k + 1 < weights.size(); ++k) {
    left -= weights[k];
    if (left < 0) return k;
  }
  return weights.size() - 1;
}

// Exponentially distributed time between arrivals. Rounded down to microseconds because logarithms
// may differ in their last digits between machines.
Duration gap(Random& random, double mean_seconds) {
  const double micros = std::floor(-std::log(uniform(random)) * mean_seconds * 1e6);
  if (micros > 9e12) throw LimitError("arrivals pass 106 days, where the picosecond clock ends");
  return std::chrono::microseconds(static_cast<std::int64_t>(micros));
}

// The max number of devices of a job, capped at the size of the largest cluster.
int max_devices_of(int devices, double times) {
  constexpr double kLargestCluster = 1 << 16;
  return std::max(devices,
                  static_cast<int>(std::lround(std::min(kLargestCluster, devices * times))));
}

}  // namespace

std::int64_t IntegerDistribution::operator()(Random& random) const {
  if (!listed.empty()) return listed[random(static_cast<std::uint32_t>(listed.size()))];
  return first + static_cast<std::int64_t>(random(static_cast<std::uint32_t>(last - first + 1)));
}

std::int64_t IntegerDistribution::max() const {
  return listed.empty() ? last : *std::max_element(listed.begin(), listed.end());
}

std::vector<TraceJob> poisson_jobs(const Arrivals& arrivals, const std::vector<JobKind>& kinds,
                                   int devices,
                                   const std::function<Duration(int kind, int devices)>& period) {
  Random what = random_stream(arrivals.seed, kWhatStream);
  std::vector<TraceJob> jobs;
  std::map<std::string, int> seen;  // several kinds may share a name
  double device_seconds = 0;
  for (std::int64_t i = 0; i < arrivals.jobs; ++i) {
    TraceJob job;
    job.kind = static_cast<int>(sampled_kind(arrivals.weights, what));
    job.devices = static_cast<int>(arrivals.devices(what));
    job.max_devices = max_devices_of(job.devices, arrivals.max_devices);
    job.iterations = arrivals.iterations(what);
    const std::string& name = kinds[static_cast<std::size_t>(job.kind)].name;
    job.name = fmt::format("{}/{}", name, ++seen[name]);
    if (arrivals.every.count() == 0) {
      device_seconds += seconds(period(job.kind, job.devices)) *
                        static_cast<double>(job.iterations) * job.devices;
    }
    jobs.push_back(std::move(job));
  }
  const double mean =
      arrivals.every.count() > 0
          ? seconds(arrivals.every)
          : device_seconds / static_cast<double>(jobs.size()) / (arrivals.load * devices);
  Random when = random_stream(arrivals.seed, kWhenStream);
  Duration now{0};
  for (TraceJob& it : jobs) {
    it.arrival = now;
    now = add(now, gap(when, mean));
  }
  return jobs;
}

}  // namespace loom::jobs
