#include "loom/jobs/cassini/shift_grid.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "loom/base/error.h"
#include "loom/jobs/cassini/circle_periods.h"
#include "loom/jobs/cassini/shift_problem.h"

namespace loom::jobs {
namespace {

std::int64_t common_perimeter(const ShiftProblem& problem) {
  std::int64_t perimeter = 1;
  for (const ShiftProblem::Job& it : problem.jobs) {
    const std::int64_t factor = it.period / std::gcd(perimeter, it.period);
    if (perimeter > std::numeric_limits<std::int64_t>::max() / 4 / factor) {
      throw LimitError(
          "the common multiple of all periods is 25 days or more; a grid of angles needs a shorter "
          "one");
    }
    perimeter *= factor;
  }
  return perimeter;
}

double rate_at(const std::vector<Burst>& bursts, std::int64_t time_point) {
  for (const Burst& it : bursts) {
    if (it.begin <= time_point && time_point < it.end) return it.rate;
  }
  return 0;
}

class GridSearch {
 public:
  GridSearch(const ShiftProblem& problem, int angles, std::int64_t nodes)
      : problem_(problem),
        angles_(static_cast<std::size_t>(angles)),
        perimeter_(common_perimeter(problem)),
        nodes_(nodes),
        load_(problem.links.size(), std::vector<double>(angles_, 0)),
        rotation_(problem.jobs.size(), 0),
        best_rotation_(problem.jobs.size(), 0) {
    for (const ShiftProblem::Job& job : problem.jobs) {
      // Rotations by a full period or more repeat smaller ones.
      const auto rotations =
          (static_cast<Int128>(job.period) * angles + perimeter_ - 1) / perimeter_;
      rotations_.push_back(static_cast<std::size_t>(rotations));
      samples_.emplace_back();
      for (const ShiftProblem::Use& use : job.uses) samples_.back().push_back(sampled(use, job));
    }
    order_.resize(problem.jobs.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return asks(a) > asks(b); });
  }

  // Returns the smallest excess found.
  double run() {
    best_ = std::numeric_limits<double>::max();
    place_from(0, 0);
    return best_;
  }
  bool proved() const { return proved_; }
  std::int64_t nodes_left() const { return nodes_; }
  std::int64_t shift(std::size_t job) const {
    const Int128 time_point =
        static_cast<Int128>(best_rotation_[job]) * perimeter_ / static_cast<std::int64_t>(angles_);
    return static_cast<std::int64_t>(time_point % problem_.jobs[job].period);
  }

 private:
  std::vector<double> sampled(const ShiftProblem::Use& use, const ShiftProblem::Job& job) const {
    std::vector<double> rates(angles_);
    for (std::size_t a = 0; a < angles_; ++a) {
      const Int128 time_point =
          static_cast<Int128>(a) * perimeter_ / static_cast<std::int64_t>(angles_);
      rates[a] = rate_at(use.bursts, static_cast<std::int64_t>(time_point % job.period));
    }
    return rates;
  }

  double asks(std::size_t job) const {
    double sum = 0;
    for (const ShiftProblem::Use& it : problem_.jobs[job].uses) sum += it.mean;
    return sum;
  }

  double added(std::size_t job, std::size_t rotation) const {
    double sum = 0;
    for (std::size_t u = 0; u < samples_[job].size(); ++u) {
      const auto link = static_cast<std::size_t>(problem_.jobs[job].uses[u].link);
      const std::vector<double>& rates = samples_[job][u];
      double own = 0;
      for (std::size_t a = 0; a < angles_; ++a) {
        const double rate = rates[a];
        if (rate == 0) continue;
        const double load =
            load_[link][a + rotation < angles_ ? a + rotation : a + rotation - angles_];
        own += excess(load + rate) - excess(load);
      }
      sum += problem_.links[link].weight * own / static_cast<double>(angles_);
    }
    return sum;
  }

  void add(std::size_t job, std::size_t rotation, double sign) {
    for (std::size_t u = 0; u < samples_[job].size(); ++u) {
      std::vector<double>& load = load_[static_cast<std::size_t>(problem_.jobs[job].uses[u].link)];
      for (std::size_t a = 0; a < angles_; ++a) {
        load[(a + rotation) % angles_] += sign * samples_[job][u][a];
      }
    }
  }

  struct Choice {
    double added = 0;
    std::size_t rotation = 0;

    bool operator<(const Choice& other) const {
      return added != other.added ? added < other.added : rotation < other.rotation;
    }
  };

  std::vector<Choice> choices(std::size_t job, bool first) const {
    std::vector<Choice> all;
    for (std::size_t rotation = 0; rotation < (first ? 1 : rotations_[job]); ++rotation) {
      all.push_back({added(job, rotation), rotation});
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  void place_from(std::size_t depth, double now) {
    constexpr double kSame = 1e-9;
    if (depth == order_.size()) {
      if (now < best_ - kSame) {
        best_ = now;
        best_rotation_ = rotation_;
      }
      return;
    }
    const std::vector<Choice> own = choices(order_[depth], depth == 0);
    // Lower bound: each remaining job adds at least what it would add if it came next.
    double others = 0;
    for (std::size_t d = depth + 1; d < order_.size() && now + others < best_; ++d) {
      others += choices(order_[d], false).front().added;
    }
    for (const Choice& it : own) {
      if (now + it.added + others >= best_ - kSame) return;
      if (nodes_-- <= 0 && best_ < std::numeric_limits<double>::max()) {
        proved_ = false;
        return;
      }
      rotation_[order_[depth]] = it.rotation;
      add(order_[depth], it.rotation, 1);
      place_from(depth + 1, now + it.added);
      add(order_[depth], it.rotation, -1);
    }
  }

  const ShiftProblem& problem_;
  std::size_t angles_;
  std::int64_t perimeter_;
  std::int64_t nodes_;
  bool proved_ = true;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> rotations_;                     // per job: number of distinct rotations
  std::vector<std::vector<std::vector<double>>> samples_;  // indexed by job, use and angle
  std::vector<std::vector<double>> load_;                  // indexed by link and angle
  std::vector<std::size_t> rotation_;
  std::vector<std::size_t> best_rotation_;
  double best_ = 0;
};

}  // namespace

GridShifts best_shifts_on_grid(const SharedProfiles& profiles, int angles,
                               const ShiftSearchOptions& options) {
  LOOM_CHECK(angles >= kMinAngles && angles <= kMaxAngles, "the number of angles was checked");
  const SharedProfiles rounded =
      with_short_circles(profiles, options.circle_edges, options.tolerance);
  GridShifts grid;
  std::vector<Duration> shifts(profiles.jobs.size(), Duration(0));
  std::int64_t nodes = options.nodes;
  for (const ShiftProblem& problem : shift_problems(rounded)) {
    GridSearch search(problem, angles, nodes);
    grid.score -= search.run();
    grid.proved = grid.proved && search.proved();
    nodes = std::max<std::int64_t>(0, search.nodes_left());
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
      shifts[static_cast<std::size_t>(problem.jobs[j].index)] = Duration(search.shift(j));
    }
  }
  grid.found = score_of(profiles, shifts, options);
  return grid;
}

}  // namespace loom::jobs
