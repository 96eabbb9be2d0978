#include "loom/jobs/cassini/shift_search.h"

#include <algorithm>
#include <utility>

#include "loom/jobs/cassini/shifted_jobs.h"

namespace loom::jobs {
namespace {

// Lower bounds on the excess of groups of links. Merges groups that share jobs, those with few jobs
// first, and searches each merged group for its minimum excess, while that is cheap.
class LinkGroups {
 public:
  LinkGroups(const ShiftProblem& problem, SearchBudget& budget)
      : problem_(problem), budget_(budget) {
    const ShiftedJobs none(problem);
    for (int l = 0; l < static_cast<int>(problem.links.size()); ++l) {
      groups_.push_back({{l}, none.link_bound(l)});
      if (!budget.over())
        groups_.back().min_excess = std::max(groups_.back().min_excess, min_excess_of({l}, {}));
    }
  }

  double sum() const {
    double sum = 0;
    for (const BoundedLinks& it : groups_) sum += it.min_excess;
    return sum;
  }

  // Merges until the sum of bounds reaches `enough`, half of the budget is used, or two groups are
  // left: a single group would be the full search.
  void merge(double enough) {
    const std::int64_t reserve = budget_.nodes / 2;
    while (groups_.size() > 2 && sum() < enough - kSameExcess && budget_.nodes > reserve &&
           !budget_.over()) {
      const auto [a, b] = nearest();
      if (a == b) return;
      std::vector<int> links = groups_[a].links;
      links.insert(links.end(), groups_[b].links.begin(), groups_[b].links.end());
      BoundedLinks merged{links, min_excess_of(links, {groups_[a], groups_[b]})};
      groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(b));
      groups_[a] = std::move(merged);
    }
  }

  const std::vector<BoundedLinks>& groups() const { return groups_; }

 private:
  // A lower bound on the excess of these links, given the bounds of disjoint subsets of them.
  double min_excess_of(const std::vector<int>& links, const std::vector<BoundedLinks>& known) {
    const ShiftProblem own = restricted(problem_, links);
    std::vector<BoundedLinks> inside;
    double sum = 0;
    for (const BoundedLinks& group : known) {
      BoundedLinks renumbered{{}, group.min_excess};
      for (const int link : group.links) {
        const auto at = std::find(links.begin(), links.end(), link);
        renumbered.links.push_back(static_cast<int>(at - links.begin()));
      }
      inside.push_back(std::move(renumbered));
      sum += group.min_excess;
    }
    if (known.empty()) inside.push_back({{0}, 0});
    const std::int64_t share = std::max<std::int64_t>(
        100, budget_.nodes / (4 * static_cast<std::int64_t>(problem_.links.size())));
    SearchBudget limited{std::min(share, budget_.nodes), budget_.end};
    const std::int64_t before = limited.nodes;
    const FoundShifts found =
        search_tree(own, inside, descend(own, kGroupStarts, sum, limited.end), limited);
    budget_.nodes -= before - limited.nodes;
    return std::max(found.min_excess, sum);
  }

  // The two groups that share jobs and together have the fewest jobs; the same index twice if no
  // two groups share jobs.
  std::pair<std::size_t, std::size_t> nearest() const {
    std::pair<std::size_t, std::size_t> best{0, 0};
    std::size_t fewest = 0;
    for (std::size_t a = 0; a < groups_.size(); ++a) {
      for (std::size_t b = a + 1; b < groups_.size(); ++b) {
        const std::size_t in_a = jobs_on(groups_[a].links, {});
        const std::size_t in_b = jobs_on(groups_[b].links, {});
        const std::size_t both = jobs_on(groups_[a].links, groups_[b].links);
        if (both == in_a + in_b || (fewest > 0 && both >= fewest)) continue;
        fewest = both;
        best = {a, b};
      }
    }
    return best;
  }

  std::size_t jobs_on(const std::vector<int>& some, const std::vector<int>& more) const {
    std::vector<int> jobs;
    for (const std::vector<int>* links : {&some, &more}) {
      for (const int link : *links) {
        const auto& on = problem_.links[static_cast<std::size_t>(link)].jobs;
        jobs.insert(jobs.end(), on.begin(), on.end());
      }
    }
    std::sort(jobs.begin(), jobs.end());
    return static_cast<std::size_t>(std::unique(jobs.begin(), jobs.end()) - jobs.begin());
  }

  static constexpr int kGroupStarts = 8;

  const ShiftProblem& problem_;
  SearchBudget& budget_;
  std::vector<BoundedLinks> groups_;
};

// Number of search nodes that cost as much as one descent.
constexpr std::int64_t kNodesLikeADescent = 200;

// Approximate cost of a descent: for every job on a link, the load of all other jobs is rebuilt.
std::int64_t descent_cost(const ShiftProblem& problem) {
  ShiftedJobs jobs(problem);
  for (int job = 0; job < static_cast<int>(problem.jobs.size()); ++job) jobs.place(job, 0);
  std::int64_t cost = 0;
  for (std::size_t l = 0; l < problem.links.size(); ++l) {
    const auto on = static_cast<std::int64_t>(problem.links[l].jobs.size());
    cost += static_cast<std::int64_t>(jobs.load(static_cast<int>(l)).pieces().size()) * on * on;
  }
  return cost;
}

// Number of descents, 3 to 24. For a dozen jobs, more than 24 rarely find better shifts; with a
// hundred jobs, or circles with thousands of edges, each descent takes long.
int starts_for(const ShiftProblem& problem, const SearchBudget& budget) {
  constexpr std::int64_t kCost = 4'000'000;  // cost of all descents: a few seconds
  const auto jobs = static_cast<std::int64_t>(problem.jobs.size());
  const std::int64_t starts = std::min(
      {4000 / (jobs * jobs), kCost / descent_cost(problem), budget.nodes / kNodesLikeADescent});
  return static_cast<int>(std::clamp<std::int64_t>(starts, 3, 24));
}

// Lower bound on the excess from the links' capacity only.
double room_bound(const ShiftProblem& problem) {
  const ShiftedJobs none(problem);
  double sum = 0;
  for (int l = 0; l < static_cast<int>(problem.links.size()); ++l) sum += none.link_bound(l);
  return sum;
}

}  // namespace

FoundShifts search_shifts(const ShiftProblem& problem, SearchBudget& budget) {
  const double room = room_bound(problem);
  DescentResult known = descend(problem, starts_for(problem, budget), room, budget.end);
  if (known.excess <= room + kSameExcess) {
    return {std::move(known.shifts), known.excess, known.excess, std::move(known.others)};
  }
  LinkGroups groups(problem, budget);
  groups.merge(known.excess);
  return search_tree(problem, groups.groups(), std::move(known), budget);
}

}  // namespace loom::jobs
