#include "loom/jobs/job_turns.h"

#include <algorithm>
#include <limits>

#include "loom/base/error.h"

namespace loom {
namespace {

void sort_and_thin(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// The shifts below `repeats` at which a step of the job meets one of the load.
std::vector<std::int64_t> meetings(const LinkLoad& load, const ShiftProblem::Use& use,
                                   std::int64_t repeats, Kinks kinks) {
  std::vector<std::int64_t> up;
  std::vector<std::int64_t> down;
  for (const RateStep& it : load.steps()) (it.up ? up : down).push_back(it.at % repeats);
  sort_and_thin(up);
  sort_and_thin(down);
  std::vector<std::int64_t> shifts;
  const auto meet = [&](std::int64_t own, const std::vector<std::int64_t>& others) {
    for (const std::int64_t at : others) {
      const std::int64_t shift = (at - own) % repeats;
      shifts.push_back(shift < 0 ? shift + repeats : shift);
    }
  };
  for (const RateStep& own : use.steps) {
    meet(own.at, own.up ? down : up);
    if (kinks == Kinks::all) meet(own.at, own.up ? up : down);
  }
  sort_and_thin(shifts);
  return shifts;
}

}  // namespace

TurnedJobs::TurnedJobs(const ShiftProblem& problem)
    : problem_(&problem),
      has_(problem.jobs.size(), false),
      shifts_(problem.jobs.size(), 0),
      loads_(problem.links.size()) {}

double TurnedJobs::link_excess(int link) const {
  return problem_->links[static_cast<std::size_t>(link)].weight * load(link).mean_excess();
}

double TurnedJobs::link_bound(int link) const {
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

bool TurnedJobs::meets(int job) const {
  const auto& uses = problem_->jobs[static_cast<std::size_t>(job)].uses;
  return std::any_of(uses.begin(), uses.end(), [&](const ShiftProblem::Use& use) {
    const auto& jobs = problem_->links[static_cast<std::size_t>(use.link)].jobs;
    return std::any_of(jobs.begin(), jobs.end(), [&](int other) { return has(other); });
  });
}

void TurnedJobs::place(int job, std::int64_t shift) {
  LOOM_CHECK(!has(job), "a job is placed once");
  const ShiftProblem::Job& placed = problem_->jobs[static_cast<std::size_t>(job)];
  for (const ShiftProblem::Use& it : placed.uses) {
    loads_[static_cast<std::size_t>(it.link)].add(it.bursts, placed.period, shift);
  }
  has_[static_cast<std::size_t>(job)] = true;
  shifts_[static_cast<std::size_t>(job)] = shift;
  placed_.push_back(job);
}

TurnedJobs neighbours_of(const ShiftProblem& problem, int job,
                         std::span<const std::int64_t> shifts) {
  TurnedJobs jobs(problem);
  for (const ShiftProblem::Use& use : problem.jobs[static_cast<std::size_t>(job)].uses) {
    for (const int other : problem.links[static_cast<std::size_t>(use.link)].jobs) {
      if (other == job || jobs.has(other)) continue;
      jobs.place(other, shifts[static_cast<std::size_t>(other)]);
    }
  }
  return jobs;
}

double added_excess(const TurnedJobs& jobs, int job, std::int64_t shift) {
  const ShiftProblem& problem = jobs.problem();
  const ShiftProblem::Job& own = problem.jobs[static_cast<std::size_t>(job)];
  double sum = 0;
  for (const ShiftProblem::Use& use : own.uses) {
    sum += problem.links[static_cast<std::size_t>(use.link)].weight *
           AddedExcess(jobs.load(use.link), use.bursts, own.period).at(shift);
  }
  return sum;
}

Turns turns_of(const TurnedJobs& jobs, int job, Kinks kinks) {
  const ShiftProblem& problem = jobs.problem();
  const ShiftProblem::Job& own = problem.jobs[static_cast<std::size_t>(job)];
  Turns found;
  found.range = shift_range(problem, job, jobs.placed());
  std::vector<AddedExcess> added;
  std::vector<std::int64_t> all;
  for (const ShiftProblem::Use& use : own.uses) {
    added.push_back(AddedExcess(jobs.load(use.link), use.bursts, own.period));
    const std::int64_t repeats = added.back().repeats();
    double least = added.back().at(0);
    for (const std::int64_t shift : meetings(jobs.load(use.link), use, repeats, kinks)) {
      least = std::min(least, added.back().at(shift));
      for (std::int64_t at = shift; at < found.range; at += repeats) all.push_back(at);
    }
    found.link_least.push_back(problem.links[static_cast<std::size_t>(use.link)].weight * least);
  }
  sort_and_thin(all);
  const auto sum_at = [&](std::int64_t shift) {
    double sum = 0;
    for (std::size_t u = 0; u < own.uses.size(); ++u) {
      sum += problem.links[static_cast<std::size_t>(own.uses[u].link)].weight * added[u].at(shift);
    }
    return sum;
  };
  found.least = all.empty() ? sum_at(0) : std::numeric_limits<double>::max();
  for (const std::int64_t shift : all) {
    found.turns.push_back({shift, sum_at(shift)});
    found.least = std::min(found.least, found.turns.back().added);
  }
  return found;
}

}  // namespace loom
