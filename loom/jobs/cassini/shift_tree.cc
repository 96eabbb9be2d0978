#include "loom/jobs/cassini/shift_tree.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "loom/jobs/cassini/shifted_jobs.h"

namespace loom::jobs {
namespace {

struct Node {
  std::int32_t parent = -1;
  std::int32_t first_sibling = 0;
  std::int32_t job = 0;
  std::int64_t shift = 0;
  std::int64_t range = 1;  // shifts of the job are equivalent modulo this
  double bound = 0;
};

struct Open {
  double bound = 0;
  std::int32_t depth = 0;  // number of jobs placed
  std::int32_t node = 0;

  // The top of the queue is its largest element: the node with the smallest bound; of these the
  // deepest, then the oldest.
  bool operator<(const Open& other) const {
    return std::tuple(other.bound, depth, other.node) < std::tuple(bound, other.depth, node);
  }
};

// Shifts already tried by earlier siblings of a node or of its ancestors.
class Excluded {
 public:
  void add(int kind, std::int64_t range, std::int64_t shift) {
    shifts_[{kind, range}].push_back(shift);
  }
  void close() {
    for (auto& it : shifts_) std::sort(it.second.begin(), it.second.end());
  }
  bool has(int kind, std::int64_t shift) const {
    for (auto it = shifts_.lower_bound({kind, 0}); it != shifts_.end() && it->first.first == kind;
         ++it) {
      if (std::binary_search(it->second.begin(), it->second.end(), shift % it->first.second)) {
        return true;
      }
    }
    return false;
  }

 private:
  std::map<std::pair<int, std::int64_t>, std::vector<std::int64_t>> shifts_;
};

// The jobs that can be placed next in a node, with their candidate shifts and the resulting bounds.
struct Left {
  std::vector<int> jobs;  // first job of each kind that shares a link with a placed job
  std::vector<ShiftCandidates> candidates;
  std::vector<double> links;  // per link: excess plus the minimum that unplaced jobs add
  double min_excess = 0;      // sum over all links
  bool kinks = false;         // some job has candidate shifts; otherwise all shifts are equivalent
};

// Number of candidate shifts whose evaluation costs as much as one node.
constexpr std::int64_t kCandidatesPerNode = 64;

class ShiftTree {
 public:
  ShiftTree(const ShiftProblem& problem, const std::vector<BoundedLinks>& groups,
            DescentResult known, SearchBudget& budget)
      : problem_(problem), groups_(groups), budget_(budget) {
    found_.shifts = std::move(known.shifts);
    found_.excess = known.excess;
    found_.others = std::move(known.others);
  }

  FoundShifts run() {
    double min_excess = 0;
    for (const BoundedLinks& it : groups_) min_excess += it.min_excess;
    nodes_.push_back({-1, 0, first_job(), 0, 1, min_excess});
    open_.push({min_excess, 1, 0});
    while (!open_.empty() && !enough(open_.top().bound)) {
      if (budget_.over()) {
        found_.min_excess = std::min(found_.excess, open_.top().bound);
        return std::move(found_);
      }
      const Open next = open_.top();
      open_.pop();
      expand(next);
    }
    found_.min_excess = found_.excess;
    return std::move(found_);
  }

 private:
  bool enough(double bound) const { return bound >= found_.excess - kSameExcess; }

  int kind_of(int job) const { return problem_.jobs[static_cast<std::size_t>(job)].kind; }

  // The job with the largest total demand.
  int first_job() const {
    std::vector<double> asks;
    for (const ShiftProblem::Job& job : problem_.jobs) {
      double sum = 0;
      for (const ShiftProblem::Use& it : job.uses) sum += it.mean;
      asks.push_back(sum);
    }
    return static_cast<int>(std::max_element(asks.begin(), asks.end()) - asks.begin());
  }

  ShiftedJobs jobs_at(std::int32_t node, Excluded& excluded) const {
    std::vector<std::int32_t> chain;
    for (std::int32_t at = node; at >= 0; at = nodes_[static_cast<std::size_t>(at)].parent) {
      chain.push_back(at);
    }
    ShiftedJobs jobs(problem_);
    std::reverse(chain.begin(), chain.end());
    for (const std::int32_t at : chain) {
      const Node& it = nodes_[static_cast<std::size_t>(at)];
      jobs.place(it.job, it.shift);
      for (std::int32_t s = it.first_sibling; s < at; ++s) {
        const Node& sibling = nodes_[static_cast<std::size_t>(s)];
        excluded.add(kind_of(sibling.job), sibling.range, sibling.shift);
      }
    }
    excluded.close();
    return jobs;
  }

  std::vector<int> next_jobs(const ShiftedJobs& jobs) const {
    std::vector<int> next;
    for (int job = 0; job < static_cast<int>(problem_.jobs.size()); ++job) {
      if (jobs.has(job) || !jobs.shares_link(job)) continue;
      const bool new_kind = std::none_of(next.begin(), next.end(),
                                         [&](int other) { return kind_of(other) == kind_of(job); });
      if (new_kind) next.push_back(job);
    }
    return next;
  }

  int left_of_kind(const ShiftedJobs& jobs, int kind) const {
    int count = 0;
    for (int job = 0; job < static_cast<int>(problem_.jobs.size()); ++job) {
      if (!jobs.has(job) && kind_of(job) == kind) ++count;
    }
    return count;
  }

  Left left_beside(const ShiftedJobs& jobs) const {
    Left left;
    for (int l = 0; l < static_cast<int>(problem_.links.size()); ++l) {
      left.links.push_back(jobs.link_excess(l));
      left.min_excess += left.links.back();
    }
    left.jobs = next_jobs(jobs);
    for (const int job : left.jobs) {
      left.candidates.push_back(shift_candidates(jobs, job));
      const ShiftCandidates& candidates = left.candidates.back();
      const int count = left_of_kind(jobs, kind_of(job));
      left.min_excess += count * candidates.min_excess;
      left.kinks = left.kinks || !candidates.candidates.empty();
      const auto& uses = problem_.jobs[static_cast<std::size_t>(job)].uses;
      for (std::size_t u = 0; u < uses.size(); ++u) {
        left.links[static_cast<std::size_t>(uses[u].link)] += count * candidates.min_link_excess[u];
      }
    }
    for (std::size_t l = 0; l < left.links.size(); ++l) {
      left.links[l] = std::max(left.links[l], jobs.link_bound(static_cast<int>(l)));
    }
    return left;
  }

  double bound_of(const Left& left) const {
    double sum = 0;
    for (const BoundedLinks& group : groups_) {
      double own = 0;
      for (const int link : group.links) own += left.links[static_cast<std::size_t>(link)];
      sum += std::max(own, group.min_excess);
    }
    return std::max(left.min_excess, sum);
  }

  void expand(const Open& open) {
    Excluded excluded;
    const ShiftedJobs jobs = jobs_at(open.node, excluded);
    const Left left = left_beside(jobs);
    const double bound = std::max(open.bound, bound_of(left));
    for (const ShiftCandidates& it : left.candidates) {
      budget_.nodes -= static_cast<std::int64_t>(it.candidates.size()) / kCandidatesPerNode;
    }
    if (enough(bound)) return;
    const bool last = open.depth + 1 == static_cast<std::int32_t>(problem_.jobs.size());
    const auto first = static_cast<std::int32_t>(nodes_.size());
    const auto child = [&](int job, std::int64_t shift, std::int64_t range, double min_excess) {
      --budget_.nodes;
      if (last) return finish(jobs, job, shift);
      open_.push({min_excess, open.depth + 1, static_cast<std::int32_t>(nodes_.size())});
      nodes_.push_back({open.node, first, job, shift, range, min_excess});
    };
    for (std::size_t n = 0; n < left.jobs.size(); ++n) {
      const double others = left.min_excess - left.candidates[n].min_excess;
      for (const ShiftCandidates::Candidate& it : left.candidates[n].candidates) {
        const double min_excess = std::max(bound, others + it.added);
        if (enough(min_excess) || excluded.has(kind_of(left.jobs[n]), it.shift)) continue;
        child(left.jobs[n], it.shift, left.candidates[n].range, min_excess);
      }
    }
    // Without candidate shifts, all shifts are equivalent, and one child suffices.
    if (!left.kinks) child(left.jobs.front(), 0, 1, bound);
  }

  void finish(const ShiftedJobs& jobs, int job, std::int64_t shift) {
    std::vector<std::int64_t> shifts = jobs.shifts();
    shifts[static_cast<std::size_t>(job)] = shift;
    const double excess = weighted_excess(problem_, shifts);
    if (enough(excess)) return;
    found_.excess = excess;
    found_.shifts = std::move(shifts);
    found_.others.clear();
  }

  const ShiftProblem& problem_;
  const std::vector<BoundedLinks>& groups_;
  SearchBudget& budget_;
  FoundShifts found_;
  std::vector<Node> nodes_;
  std::priority_queue<Open> open_;
};

}  // namespace

FoundShifts search_tree(const ShiftProblem& problem, const std::vector<BoundedLinks>& groups,
                        DescentResult known, SearchBudget& budget) {
  return ShiftTree(problem, groups, std::move(known), budget).run();
}

}  // namespace loom::jobs
