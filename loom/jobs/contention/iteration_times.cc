#include "loom/jobs/contention/iteration_times.h"

#include <algorithm>
#include <utility>

#include "loom/base/error.h"

namespace loom::jobs {
namespace {

Duration mean_of(const std::vector<Duration>& times) {
  LOOM_CHECK(!times.empty(), "a job has at least one iteration");
  Int128 sum = 0;
  for (const Duration it : times) sum += it.count();
  return Duration(static_cast<std::int64_t>(sum / static_cast<Int128>(times.size())));
}

using Weighed = std::vector<std::pair<Duration, double>>;  // sorted by time; weights add up to 1

// Percentile by nearest rank: the smallest time such that at least `fraction` of the total weight
// is at or below it.
Duration percentile(const Weighed& times, double fraction) {
  constexpr double kRounding = 1e-9;  // tolerance on the sum of weights
  double sum = 0;
  for (const auto& it : times) {
    sum += it.second;
    if (sum >= fraction - kRounding) return it.first;
  }
  return times.back().first;
}

}  // namespace

std::vector<Duration> iteration_times(const place::LoweredJob& job,
                                      std::span<const TimePoint> operation_end, TimePoint start) {
  LOOM_CHECK(operation_end.size() == job.tags.size(), "every operation of the job has an end time");
  std::vector<TimePoint> end(static_cast<std::size_t>(job.iterations), start);
  for (std::size_t o = 0; o < operation_end.size(); ++o) {
    TimePoint& last = end[static_cast<std::size_t>(job.tags[o].iteration)];
    last = std::max(last, operation_end[o]);
  }
  std::vector<Duration> times = {end.front() - start};
  for (std::size_t i = 1; i < end.size(); ++i) times.push_back(end[i] - end[i - 1]);
  return times;
}

TimeSpread spread_of(const std::vector<Duration>& times) {
  return spread_of(std::vector<std::vector<Duration>>{times});
}

TimeSpread spread_of(const std::vector<std::vector<Duration>>& jobs) {
  std::vector<Duration> means;
  Weighed all;
  for (const std::vector<Duration>& times : jobs) {
    means.push_back(mean_of(times));
    const double weight = 1.0 / static_cast<double>(times.size() * jobs.size());
    for (const Duration it : times) all.emplace_back(it, weight);
  }
  std::sort(all.begin(), all.end());
  return {mean_of(means), percentile(all, 0.5), percentile(all, 0.99), all.back().first};
}

}  // namespace loom::jobs
