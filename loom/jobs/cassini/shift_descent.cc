#include "loom/jobs/cassini/shift_descent.h"

#include <algorithm>
#include <numeric>

#include "loom/base/random.h"
#include "loom/jobs/cassini/shifted_jobs.h"

namespace loom::jobs {
namespace {

constexpr std::size_t kMaxOthers = 16;  // enough alternatives to choose from by slack
constexpr int kMaxRounds = 20;          // usually three or four rounds are enough

// A random choice among the shifts that add the least excess.
std::int64_t best_shift(const ShiftedJobs& jobs, int job, Random& random) {
  const ShiftCandidates candidates = shift_candidates(jobs, job, Kinks::own);
  std::vector<std::int64_t> best;
  for (const ShiftCandidates::Candidate& it : candidates.candidates) {
    if (it.added <= candidates.min_excess + kSameExcess) best.push_back(it.shift);
  }
  if (best.empty()) return 0;
  return best[random(static_cast<std::uint32_t>(best.size()))];
}

std::vector<std::int64_t> placed_in_order(const ShiftProblem& problem,
                                          const std::vector<int>& order, Random& random) {
  ShiftedJobs jobs(problem);
  std::vector<int> left = order;
  while (!left.empty()) {
    auto next =
        std::find_if(left.begin(), left.end(), [&](int job) { return jobs.shares_link(job); });
    if (next == left.end()) next = left.begin();
    jobs.place(*next, jobs.shares_link(*next) ? best_shift(jobs, *next, random) : 0);
    left.erase(next);
  }
  return jobs.shifts();
}

// Coordinate descent: moves each job in turn to its best shift while the others stay, until a round
// improves nothing.
double improve(const ShiftProblem& problem, const std::vector<int>& order, Random& random,
               std::vector<std::int64_t>& shifts) {
  for (int round = 0; round < kMaxRounds; ++round) {
    bool better = false;
    for (const int job : order) {
      const ShiftedJobs others = neighbors_of(problem, job, shifts);
      std::int64_t& own = shifts[static_cast<std::size_t>(job)];
      const std::int64_t next = best_shift(others, job, random);
      const double gain = added_excess(others, job, own) - added_excess(others, job, next);
      if (gain >= -kSameExcess) own = next;
      better = better || gain > kSameExcess;
    }
    if (!better) break;
  }
  return weighted_excess(problem, shifts);
}

}  // namespace

DescentResult descend(const ShiftProblem& problem, int starts, double enough, Deadline end) {
  DescentResult best;
  std::vector<int> order(problem.jobs.size());
  std::iota(order.begin(), order.end(), 0);
  Random random = random_stream(order.size(), problem.links.size());
  for (int start = 0; start < starts; ++start) {
    std::vector<std::int64_t> shifts = placed_in_order(problem, order, random);
    const double excess = improve(problem, order, random, shifts);
    if (start == 0 || excess < best.excess - kSameExcess) {
      best = {std::move(shifts), excess, {}};
    } else if (excess <= best.excess + kSameExcess && best.others.size() < kMaxOthers) {
      best.others.push_back(std::move(shifts));
    }
    if (best.excess <= enough + kSameExcess && best.others.size() >= 3) break;
    if (std::chrono::steady_clock::now() >= end) break;
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random(static_cast<std::uint32_t>(i))]);
    }
  }
  return best;
}

}  // namespace loom::jobs
