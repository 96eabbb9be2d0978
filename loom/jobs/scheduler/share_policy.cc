#include "loom/jobs/scheduler/share_policy.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "loom/base/error.h"

namespace loom::jobs {
namespace {

// Number of jobs considered, or twice the number of devices if that is more; later jobs wait.
constexpr std::size_t kLookedAt = 64;

// Number of devices in an even share of the cluster, lowered to the number that the job can use or
// raised to the first on which it can run.
std::size_t even_share(const ActiveJob& job, int devices, std::size_t jobs) {
  const std::size_t share = std::max<std::size_t>(1, static_cast<std::size_t>(devices) / jobs);
  std::size_t n = std::min(share, job.goodput.size());
  while (n < job.goodput.size() && job.goodput[n - 1] <= 0) ++n;
  return n;
}

// 1 / speedup on n devices.
double slowness_of(const ActiveJob& job, int n, std::size_t even, Duration now, Duration restart) {
  if (n == 0) return kUnserved;
  double goodput = job.goodput[static_cast<std::size_t>(n) - 1];
  if (goodput <= 0) return 2 * kUnserved;
  const double age = seconds(now - job.arrival);
  const double delay = seconds(restart);
  if (job.holds > 0 && n != job.holds && delay > 0) {
    constexpr double kMinFactor = 1e-3;  // used if a job has spent all its time restarting
    goodput *= std::max(kMinFactor, (age - job.changes * delay) / (age + delay));
  }
  return job.goodput[even - 1] / goodput;
}

}  // namespace

std::vector<int> shares_in_order(std::span<const ActiveJob> jobs, int devices) {
  std::vector<int> shares;
  int left = devices;
  for (const ActiveJob& it : jobs) left -= it.holds;
  bool waiting = false;
  for (const ActiveJob& it : jobs) {
    if (it.holds == 0) waiting = waiting || it.wanted > left;
    const bool gets = it.holds == 0 && !waiting;
    shares.push_back(gets ? it.wanted : it.holds);
    if (gets) left -= it.wanted;
  }
  return shares;
}

double finish_time_fairness(const ActiveJob& job, Duration now) {
  return job.ideal <= 0 ? 1 : (seconds(now - job.arrival) + job.left) / job.ideal;
}

std::vector<int> shares_fairly(std::span<const ActiveJob> jobs, int devices, Duration now,
                               bool leased) {
  std::vector<double> worse;
  for (const ActiveJob& it : jobs) worse.push_back(finish_time_fairness(it, now));
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return worse[a] > worse[b]; });
  std::vector<int> shares(jobs.size(), 0);
  int left = devices;
  for (std::size_t j = 0; leased && j < jobs.size(); ++j) left -= shares[j] = jobs[j].holds;
  for (const std::size_t j : order) {
    if (shares[j] > 0 || jobs[j].wanted > left) continue;
    left -= shares[j] = jobs[j].wanted;
  }
  return shares;
}

double slowness(std::span<const ActiveJob> jobs, std::span<const int> shares, int devices,
                Duration now, Duration restart) {
  double sum = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    sum += slowness_of(jobs[j], shares[j], even_share(jobs[j], devices, jobs.size()), now, restart);
  }
  return sum;
}

// Dynamic programming: best[d] is the smallest slowness of the jobs so far on d devices, and choice
// records the shares.
std::vector<int> shares_for_goodput(std::span<const ActiveJob> all, int devices, Duration now,
                                    Duration restart) {
  const auto room = static_cast<std::size_t>(devices);
  const std::span<const ActiveJob> jobs =
      all.first(std::min(all.size(), std::max(2 * room, kLookedAt)));
  std::vector<double> best(room + 1, 0);
  std::vector<std::vector<int>> choice;
  for (const ActiveJob& job : jobs) {
    const std::size_t even = even_share(job, devices, jobs.size());
    std::vector<double> cost;
    for (std::size_t n = 0; n <= std::min(room, job.goodput.size()); ++n) {
      cost.push_back(slowness_of(job, static_cast<int>(n), even, now, restart));
    }
    std::vector<double> next(room + 1, std::numeric_limits<double>::infinity());
    std::vector<int> chosen(room + 1, 0);
    for (std::size_t d = 0; d <= room; ++d) {
      for (std::size_t n = 0; n < cost.size() && n <= d; ++n) {
        if (best[d - n] + cost[n] >= next[d]) continue;
        next[d] = best[d - n] + cost[n];
        chosen[d] = static_cast<int>(n);
      }
    }
    best = std::move(next);
    choice.push_back(std::move(chosen));
  }
  std::vector<int> shares(all.size(), 0);
  std::size_t d = room;
  for (std::size_t j = jobs.size(); j-- > 0;) {
    shares[j] = choice[j][d];
    d -= static_cast<std::size_t>(shares[j]);
  }
  return shares;
}

}  // namespace loom::jobs
