#include "loom/jobs/cassini/shifted_jobs.h"

#include <algorithm>
#include <limits>

#include "loom/base/error.h"

namespace loom::jobs {
namespace {

void sort_and_thin(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// The shifts below `repeats` at which a rate step of the job coincides with an opposite step of the
// load or, for Kinks::all, with any step.
std::vector<std::int64_t> aligned_shifts(const LinkLoad& load, const ShiftProblem::Use& use,
                                         std::int64_t repeats, Kinks kinks) {
  std::vector<std::int64_t> up;
  std::vector<std::int64_t> down;
  for (const RateStep& it : load.steps()) (it.up ? up : down).push_back(it.at % repeats);
  sort_and_thin(up);
  sort_and_thin(down);
  std::vector<std::int64_t> shifts;
  const auto align = [&](std::int64_t own, const std::vector<std::int64_t>& others) {
    for (const std::int64_t at : others) {
      const std::int64_t shift = (at - own) % repeats;
      shifts.push_back(shift < 0 ? shift + repeats : shift);
    }
  };
  for (const RateStep& own : use.steps) {
    align(own.at, own.up ? down : up);
    if (kinks == Kinks::all) align(own.at, own.up ? up : down);
  }
  sort_and_thin(shifts);
  return shifts;
}

// The excess that a job adds as a function of its shift: piecewise linear, evaluated in one pass
// over its kinks.
class Sweep {
 public:
  Sweep() = default;
  explicit Sweep(const AddedExcess& added)
      : first_(added.at(0)), slope_(added.first_slope()), kinks_(added.kinks()) {}

  double first() const { return first_; }

  double min_excess() const {
    double min_excess = first_;
    walk([&](std::int64_t, double added, double) { min_excess = std::min(min_excess, added); });
    return std::max(0.0, min_excess);
  }

  // The shifts at which the slope increases.
  std::vector<std::int64_t> lows() const {
    std::vector<std::int64_t> lows;
    walk([&](std::int64_t at, double, double by) {
      if (by > 0) lows.push_back(at);
    });
    return lows;
  }

  // Adds `weight` times another sweep, repeated every `repeats` up to `range`.
  void add(const Sweep& other, double weight, std::int64_t repeats, std::int64_t range) {
    first_ += weight * other.first_;
    slope_ += weight * other.slope_;
    for (const Kink& it : other.kinks_) {
      for (std::int64_t at = it.at; at < range; at += repeats)
        kinks_.push_back({at, weight * it.by});
    }
    sorted_ = false;
  }

  // The values at these shifts, which must be sorted.
  std::vector<ShiftCandidates::Candidate> at(const std::vector<std::int64_t>& shifts) {
    if (!sorted_) std::sort(kinks_.begin(), kinks_.end());
    sorted_ = true;
    std::vector<ShiftCandidates::Candidate> candidates;
    candidates.reserve(shifts.size());
    std::size_t next = 0;
    std::int64_t last = 0;
    double added = first_;
    double slope = slope_;
    const auto go_to = [&](std::int64_t at) {
      added += slope * static_cast<double>(at - last);
      last = at;
    };
    for (const std::int64_t shift : shifts) {
      for (; next < kinks_.size() && kinks_[next].at <= shift; ++next) {
        go_to(kinks_[next].at);
        slope += kinks_[next].by;
      }
      go_to(shift);
      candidates.push_back({shift, std::max(0.0, added)});
    }
    return candidates;
  }

 private:
  // Visits each shift that has kinks, with the excess there and the change of slope.
  template <class Visit>
  void walk(const Visit& visit) const {
    double added = first_;
    double slope = slope_;
    std::int64_t last = 0;
    for (std::size_t b = 0; b < kinks_.size();) {
      const std::int64_t at = kinks_[b].at;
      added += slope * static_cast<double>(at - last);
      last = at;
      double by = 0;
      for (; b < kinks_.size() && kinks_[b].at == at; ++b) by += kinks_[b].by;
      slope += by;
      visit(at, added, by);
    }
  }

  double first_ = 0;  // value at shift 0
  double slope_ = 0;  // slope before the first kink
  std::vector<Kink> kinks_;
  bool sorted_ = true;
};

}  // namespace

ShiftedJobs::ShiftedJobs(const ShiftProblem& problem)
    : problem_(&problem),
      has_(problem.jobs.size(), false),
      shifts_(problem.jobs.size(), 0),
      loads_(problem.links.size()) {}

double ShiftedJobs::link_excess(int link) const {
  return problem_->links[static_cast<std::size_t>(link)].weight * load(link).mean_excess();
}

double ShiftedJobs::link_bound(int link) const {
  const ShiftProblem::Link& at = problem_->links[static_cast<std::size_t>(link)];
  double waiting = 0;
  for (const int job : at.jobs) {
    if (has(job)) continue;
    for (const ShiftProblem::Use& it : problem_->jobs[static_cast<std::size_t>(job)].uses) {
      if (it.link == link) waiting += it.mean;
    }
  }
  const double overflow = std::max(0.0, waiting - load(link).mean_room());
  return at.weight * (load(link).mean_excess() + overflow);
}

bool ShiftedJobs::shares_link(int job) const {
  const auto& uses = problem_->jobs[static_cast<std::size_t>(job)].uses;
  return std::any_of(uses.begin(), uses.end(), [&](const ShiftProblem::Use& use) {
    const auto& jobs = problem_->links[static_cast<std::size_t>(use.link)].jobs;
    return std::any_of(jobs.begin(), jobs.end(), [&](int other) { return has(other); });
  });
}

void ShiftedJobs::place(int job, std::int64_t shift) {
  LOOM_CHECK(!has(job), "a job is placed once");
  const ShiftProblem::Job& placed = problem_->jobs[static_cast<std::size_t>(job)];
  for (const ShiftProblem::Use& it : placed.uses) {
    loads_[static_cast<std::size_t>(it.link)].add(it.bursts, placed.period, shift);
  }
  has_[static_cast<std::size_t>(job)] = true;
  shifts_[static_cast<std::size_t>(job)] = shift;
  placed_.push_back(job);
}

ShiftedJobs neighbors_of(const ShiftProblem& problem, int job,
                         std::span<const std::int64_t> shifts) {
  ShiftedJobs jobs(problem);
  for (const ShiftProblem::Use& use : problem.jobs[static_cast<std::size_t>(job)].uses) {
    for (const int other : problem.links[static_cast<std::size_t>(use.link)].jobs) {
      if (other == job || jobs.has(other)) continue;
      jobs.place(other, shifts[static_cast<std::size_t>(other)]);
    }
  }
  return jobs;
}

double added_excess(const ShiftedJobs& jobs, int job, std::int64_t shift) {
  const ShiftProblem& problem = jobs.problem();
  const ShiftProblem::Job& own = problem.jobs[static_cast<std::size_t>(job)];
  double sum = 0;
  for (const ShiftProblem::Use& use : own.uses) {
    sum += problem.links[static_cast<std::size_t>(use.link)].weight *
           AddedExcess(jobs.load(use.link), use.bursts, own.period).at(shift);
  }
  return sum;
}

ShiftCandidates shift_candidates(const ShiftedJobs& jobs, int job, Kinks kinks) {
  const ShiftProblem& problem = jobs.problem();
  const ShiftProblem::Job& own = problem.jobs[static_cast<std::size_t>(job)];
  ShiftCandidates found;
  found.range = shift_range(problem, job, jobs.placed());
  Sweep all;
  std::vector<std::int64_t> shifts;
  for (const ShiftProblem::Use& use : own.uses) {
    const AddedExcess added(jobs.load(use.link), use.bursts, own.period);
    const std::int64_t repeats = added.repeats();
    const double weight = problem.links[static_cast<std::size_t>(use.link)].weight;
    Sweep on_link(added);
    found.min_link_excess.push_back(weight * on_link.min_excess());
    const std::vector<std::int64_t> here =
        kinks == Kinks::own ? on_link.lows()
                            : aligned_shifts(jobs.load(use.link), use, repeats, kinks);
    for (const std::int64_t shift : here) {
      for (std::int64_t at = shift; at < found.range; at += repeats) shifts.push_back(at);
    }
    all.add(on_link, weight, repeats, found.range);
  }
  sort_and_thin(shifts);
  found.candidates = all.at(shifts);
  found.min_excess = found.candidates.empty() ? all.first() : std::numeric_limits<double>::max();
  for (const ShiftCandidates::Candidate& it : found.candidates)
    found.min_excess = std::min(found.min_excess, it.added);
  return found;
}

}  // namespace loom::jobs
