#include "loom/jobs/cassini/shift_problem.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "loom/base/error.h"

namespace loom::jobs {
namespace {

// A job's bursts on a link, with rates relative to the link's capacity.
std::vector<Burst> bursts_on(const JobProfile& job, int link, Bandwidth capacity) {
  std::vector<Burst> bursts;
  std::int64_t at = 0;
  for (const ProfileStage& stage : job.stages) {
    const std::int64_t end = at + stage.length.count();
    for (const LinkRate& it : stage.rates) {
      if (it.link != link || it.rate.bits_per_second <= 0 || end == at) continue;
      const double rate = static_cast<double>(it.rate.bits_per_second) /
                          static_cast<double>(capacity.bits_per_second);
      const bool goes_on = !bursts.empty() && bursts.back().end == at && bursts.back().rate == rate;
      if (goes_on) {
        bursts.back().end = end;
      } else {
        bursts.push_back({at, end, rate});
      }
    }
    at = end;
  }
  return bursts;
}

ShiftProblem::Use use_of(int link, std::vector<Burst> bursts, std::int64_t period) {
  ShiftProblem::Use use{link, std::move(bursts), {}, 0};
  use.steps = steps_of(use.bursts, period);
  for (const Burst& it : use.bursts) {
    use.mean += it.rate * static_cast<double>(it.end - it.begin) / static_cast<double>(period);
  }
  return use;
}

bool same_bursts(const std::vector<Burst>& a, const std::vector<Burst>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Burst& x, const Burst& y) {
    return x.begin == y.begin && x.end == y.end && x.rate == y.rate;
  });
}

void number_kinds(ShiftProblem& problem) {
  for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
    ShiftProblem::Job& job = problem.jobs[j];
    const auto equivalent = [&](const ShiftProblem::Job& it) {
      return it.period == job.period && it.uses.size() == job.uses.size() &&
             std::equal(it.uses.begin(), it.uses.end(), job.uses.begin(),
                        [](const auto& a, const auto& b) {
                          return a.link == b.link && same_bursts(a.bursts, b.bursts);
                        });
    };
    const auto found =
        std::find_if(problem.jobs.begin(), problem.jobs.begin() + std::ptrdiff_t(j), equivalent);
    job.kind = static_cast<int>(found - problem.jobs.begin());
  }
}

void add_to_links(ShiftProblem& problem) {
  for (ShiftProblem::Link& it : problem.links) it.jobs.clear();
  for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
    for (const ShiftProblem::Use& it : problem.jobs[j].uses) {
      problem.links[static_cast<std::size_t>(it.link)].jobs.push_back(static_cast<int>(j));
    }
  }
}

// The bursts of each job on each link.
struct Demands {
  std::vector<std::vector<std::vector<Burst>>> bursts;  // indexed by job and link
  std::vector<int> links;                               // contended links
};

Demands demands_of(const SharedProfiles& profiles) {
  Demands demands;
  std::vector<int> users(profiles.links.size(), 0);
  for (const JobProfile& job : profiles.jobs) {
    demands.bursts.emplace_back();
    for (std::size_t l = 0; l < profiles.links.size(); ++l) {
      demands.bursts.back().push_back(
          bursts_on(job, static_cast<int>(l), profiles.links[l].capacity));
      if (!demands.bursts.back().back().empty()) ++users[l];
    }
  }
  for (std::size_t l = 0; l < users.size(); ++l) {
    if (users[l] > 1) demands.links.push_back(static_cast<int>(l));
  }
  return demands;
}

double worst_load(const Demands& demands, int link) {
  double load = 0;
  for (const auto& job : demands.bursts) {
    double peak = 0;
    for (const Burst& it : job[static_cast<std::size_t>(link)]) peak = std::max(peak, it.rate);
    load += peak;
  }
  return load;
}

bool same_demand(const Demands& demands, int a, int b) {
  return std::all_of(demands.bursts.begin(), demands.bursts.end(), [&](const auto& job) {
    return same_bursts(job[static_cast<std::size_t>(a)], job[static_cast<std::size_t>(b)]);
  });
}

std::vector<ShiftProblem::Link> links_of(const Demands& demands) {
  std::vector<ShiftProblem::Link> links;
  const double weight = 1 / static_cast<double>(demands.links.size());
  for (const int link : demands.links) {
    if (worst_load(demands, link) <= 1) continue;
    const auto equivalent = std::find_if(links.begin(), links.end(), [&](const auto& it) {
      return same_demand(demands, it.indices.front(), link);
    });
    if (equivalent == links.end()) {
      links.push_back({{link}, weight, {}});
    } else {
      equivalent->indices.push_back(link);
      equivalent->weight += weight;
    }
  }
  return links;
}

// One problem with all jobs and all relevant links, connected or not.
ShiftProblem whole_problem(const SharedProfiles& profiles) {
  const Demands demands = demands_of(profiles);
  ShiftProblem problem;
  problem.links = links_of(demands);
  for (std::size_t j = 0; j < profiles.jobs.size(); ++j) {
    ShiftProblem::Job job;
    job.index = static_cast<int>(j);
    job.period = profiles.jobs[j].period().count();
    for (std::size_t l = 0; l < problem.links.size(); ++l) {
      const std::vector<Burst>& own =
          demands.bursts[j][static_cast<std::size_t>(problem.links[l].indices.front())];
      if (!own.empty()) job.uses.push_back(use_of(static_cast<int>(l), own, job.period));
    }
    if (!job.uses.empty()) problem.jobs.push_back(std::move(job));
  }
  add_to_links(problem);
  return problem;
}

// For each link, the first link of the connected set it belongs to.
std::vector<int> link_sets(const ShiftProblem& problem) {
  std::vector<int> set(problem.links.size());
  std::iota(set.begin(), set.end(), 0);
  const std::function<int(int)> root = [&](int link) {
    const auto at = static_cast<std::size_t>(link);
    return set[at] == link ? link : set[at] = root(set[at]);
  };
  for (const ShiftProblem::Job& job : problem.jobs) {
    for (const ShiftProblem::Use& use : job.uses) {
      const int a = root(job.uses.front().link);
      const int b = root(use.link);
      set[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  for (std::size_t l = 0; l < set.size(); ++l) set[l] = root(static_cast<int>(l));
  return set;
}

}  // namespace

std::vector<ShiftProblem> shift_problems(const SharedProfiles& profiles) {
  const ShiftProblem whole = whole_problem(profiles);
  const std::vector<int> sets = link_sets(whole);
  std::vector<ShiftProblem> problems;
  for (std::size_t first = 0; first < sets.size(); ++first) {
    if (sets[first] != static_cast<int>(first)) continue;
    std::vector<int> links;
    for (std::size_t l = 0; l < sets.size(); ++l) {
      if (sets[l] == static_cast<int>(first)) links.push_back(static_cast<int>(l));
    }
    problems.push_back(restricted(whole, links));
  }
  return problems;
}

ShiftProblem restricted(const ShiftProblem& problem, std::span<const int> links) {
  ShiftProblem subproblem;
  std::vector<int> number(problem.links.size(), -1);
  for (const int link : links) {
    number[static_cast<std::size_t>(link)] = static_cast<int>(subproblem.links.size());
    subproblem.links.push_back(problem.links[static_cast<std::size_t>(link)]);
  }
  for (const ShiftProblem::Job& job : problem.jobs) {
    ShiftProblem::Job kept{job.index, job.period, {}, 0};
    for (const ShiftProblem::Use& use : job.uses) {
      if (number[static_cast<std::size_t>(use.link)] < 0) continue;
      kept.uses.push_back(use);
      kept.uses.back().link = number[static_cast<std::size_t>(use.link)];
    }
    if (!kept.uses.empty()) subproblem.jobs.push_back(std::move(kept));
  }
  number_kinds(subproblem);
  add_to_links(subproblem);
  return subproblem;
}

std::vector<double> link_excesses(const ShiftProblem& problem,
                                  std::span<const std::int64_t> shifts) {
  LOOM_CHECK(shifts.size() == problem.jobs.size(), "every job has a shift");
  std::vector<LinkLoad> loads(problem.links.size());
  std::vector<double> excesses(problem.links.size(), 0);
  for (std::size_t j = 0; j < shifts.size(); ++j) {
    for (const ShiftProblem::Use& use : problem.jobs[j].uses) {
      const auto link = static_cast<std::size_t>(use.link);
      const std::int64_t period = problem.jobs[j].period;
      excesses[link] += AddedExcess(loads[link], use.bursts, period).at(shifts[j]);
      if (problem.links[link].jobs.back() != static_cast<int>(j)) {
        loads[link].add(use.bursts, period, shifts[j]);
      }
    }
  }
  return excesses;
}

double weighted_excess(const ShiftProblem& problem, std::span<const std::int64_t> shifts) {
  const std::vector<double> excesses = link_excesses(problem, shifts);
  double sum = 0;
  for (std::size_t l = 0; l < excesses.size(); ++l) sum += problem.links[l].weight * excesses[l];
  return sum;
}

std::int64_t shift_range(const ShiftProblem& problem, int job, std::span<const int> placed) {
  const std::int64_t period = problem.jobs[static_cast<std::size_t>(job)].period;
  // gcd(a, lcm(b, c)) = lcm(gcd(a, b), gcd(a, c)), which never exceeds a.
  std::int64_t range = 1;
  for (const int other : placed) {
    range = std::lcm(range, std::gcd(period, problem.jobs[static_cast<std::size_t>(other)].period));
  }
  return range;
}

}  // namespace loom::jobs
