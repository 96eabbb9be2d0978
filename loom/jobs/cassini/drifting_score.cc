#include "loom/jobs/cassini/drifting_score.h"

#include <algorithm>
#include <numeric>

#include "loom/base/error.h"
#include "loom/jobs/cassini/shift_problem.h"

namespace loom::jobs {
namespace {

// A job's rate on one link, which step() advances from edge to edge.
class Walker {
 public:
  Walker(const ShiftProblem::Use& use, std::int64_t period, std::int64_t shift) : period_(period) {
    for (const Burst& it : use.bursts) {
      edges_.push_back({it.begin, it.rate});
      edges_.push_back({it.end, -it.rate});
    }
    std::stable_sort(edges_.begin(), edges_.end(),
                     [](const Edge& a, const Edge& b) { return a.at < b.at; });
    // Phase of the job's own circle at time 0.
    const std::int64_t phase = (period - shift % period) % period;
    cycle_begin_ = -phase;
    while (next_ < edges_.size() && edges_[next_].at <= phase) rate_ += edges_[next_++].by;
    if (next_ == edges_.size()) start_cycle();
  }

  double rate() const { return rate_; }
  double edges_per_time() const {
    return static_cast<double>(edges_.size()) / static_cast<double>(period_);
  }
  std::int64_t period() const { return period_; }
  std::int64_t next() const { return cycle_begin_ + edges_[next_].at; }

  void step() {
    rate_ += edges_[next_++].by;
    if (next_ == edges_.size()) start_cycle();
  }

 private:
  struct Edge {
    std::int64_t at = 0;
    double by = 0;
  };

  void start_cycle() {
    next_ = 0;
    cycle_begin_ += period_;
    rate_ = 0;  // every burst has ended: discards accumulated rounding error
  }

  std::vector<Edge> edges_;
  std::size_t next_ = 0;
  std::int64_t period_;
  std::int64_t cycle_begin_ = 0;
  double rate_ = 0;
};

// The time to step through: one full circle, or the time with `max_edges` edges if that is shorter.
std::int64_t length_of_walk(const std::vector<Walker>& walkers, std::int64_t max_edges) {
  double edges_per_time = 0;
  for (const Walker& it : walkers) edges_per_time += it.edges_per_time();
  const double farthest = static_cast<double>(max_edges) / edges_per_time;
  Int128 circle = 1;
  for (const Walker& it : walkers) {
    circle *= it.period() / std::gcd(static_cast<std::int64_t>(circle % it.period()), it.period());
    if (static_cast<double>(circle) > farthest) {
      return std::max<std::int64_t>(1, static_cast<std::int64_t>(farthest));
    }
  }
  return static_cast<std::int64_t>(circle);
}

double mean_excess(std::vector<Walker> walkers, std::int64_t max_edges) {
  const std::int64_t end = length_of_walk(walkers, max_edges);
  double sum = 0;
  for (std::int64_t now = 0; now < end;) {
    double load = 0;
    std::int64_t next = end;
    for (const Walker& it : walkers) {
      load += it.rate();
      next = std::min(next, it.next());
    }
    sum += excess(load) * static_cast<double>(next - now);
    now = next;
    for (Walker& it : walkers) {
      while (it.next() <= now) it.step();
    }
  }
  return sum / static_cast<double>(end);
}

}  // namespace

double drifting_score(const SharedProfiles& profiles, std::span<const Duration> shifts,
                      std::int64_t max_edges) {
  LOOM_CHECK(shifts.size() == profiles.jobs.size(), "every job has a shift");
  double score = 1;
  for (const ShiftProblem& problem : shift_problems(profiles)) {
    std::vector<std::vector<Walker>> walkers(problem.links.size());
    for (const ShiftProblem::Job& job : problem.jobs) {
      const std::int64_t shift = shifts[static_cast<std::size_t>(job.index)].count();
      for (const ShiftProblem::Use& use : job.uses) {
        walkers[static_cast<std::size_t>(use.link)].emplace_back(use, job.period, shift);
      }
    }
    for (std::size_t l = 0; l < walkers.size(); ++l) {
      score -= problem.links[l].weight * mean_excess(std::move(walkers[l]), max_edges);
    }
  }
  return score;
}

}  // namespace loom::jobs
