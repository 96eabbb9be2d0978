#include "loom/jobs/cassini/align_jobs.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "loom/jobs/cassini/period_padding.h"

namespace loom::jobs {
namespace {

// A common period is the period of a job divided by 1 to kMaxAlignedDivisor; the circle of all jobs
// spans at most kLongestCircle common periods.
constexpr int kMaxAlignedDivisor = 4;
constexpr std::int64_t kLongestCircle = 24;

// Max number of edges (starts and ends of bursts) on a link's circle. Periods without a small
// common multiple are rounded until the circle has at most so many edges: enough to cover all
// relative phases, at a tenth of the cost of the default limit in ShiftSearchOptions.
constexpr std::int64_t kCircleEdges = 400;

// A job's peak rate on each link.
std::map<int, std::int64_t> peaks(const JobProfile& profile) {
  std::map<int, std::int64_t> max;
  for (const ProfileStage& stage : profile.stages) {
    for (const LinkRate& it : stage.rates) {
      std::int64_t& peak = max[it.link];
      peak = std::max(peak, it.rate.bits_per_second);
    }
  }
  return max;
}

struct Users {
  std::vector<int> jobs;
  std::int64_t peak = 0;  // sum of the jobs' peak rates
};

// The profile restricted to these links, renumbered 0, 1, …; consecutive stages with equal rates
// are merged.
JobProfile profile_on(const JobProfile& profile, const std::vector<int>& links) {
  JobProfile reduced;
  reduced.name = profile.name;
  const auto same = [](const ProfileStage& a, const ProfileStage& b) {
    return std::equal(
        a.rates.begin(), a.rates.end(), b.rates.begin(), b.rates.end(),
        [](const LinkRate& x, const LinkRate& y) { return x.link == y.link && x.rate == y.rate; });
  };
  for (const ProfileStage& stage : profile.stages) {
    ProfileStage kept;
    kept.length = stage.length;
    for (const LinkRate& it : stage.rates) {
      const auto at = std::lower_bound(links.begin(), links.end(), it.link);
      if (at != links.end() && *at == it.link) {
        kept.rates.push_back({static_cast<int>(at - links.begin()), it.rate});
      }
    }
    if (!reduced.stages.empty() && same(reduced.stages.back(), kept)) {
      reduced.stages.back().length += kept.length;
    } else {
      reduced.stages.push_back(std::move(kept));
    }
  }
  return reduced;
}

}  // namespace

std::vector<Duration> padded_periods(std::span<const Duration> periods, double max) {
  std::vector<Duration> best(periods.begin(), periods.end());
  double min_idle = max;
  // Whether no period is padded by more than `max` and the common circle is short.
  const auto good = [&](const std::vector<Duration>& longer, Duration unit) {
    std::int64_t circle = 1;
    for (std::size_t j = 0; j < periods.size() && circle <= kLongestCircle; ++j) {
      const std::int64_t times = longer[j] / unit;
      circle = times > kLongestCircle ? times : std::lcm(circle, times);
      if (idle_fraction(std::span(longer).subspan(j, 1), periods.subspan(j, 1)) > max) return false;
    }
    return circle <= kLongestCircle;
  };
  bool found = false;
  for (const Duration from : periods) {
    for (int divisor = 1; divisor <= kMaxAlignedDivisor; ++divisor) {
      const Duration unit = divided_up(from, divisor);
      std::vector<Duration> longer = multiples_of(unit, periods);
      const double idle = idle_fraction(longer, periods);
      if ((found && idle >= min_idle) || !good(longer, unit)) continue;
      found = true;
      min_idle = idle;
      best = std::move(longer);
    }
  }
  return best;
}

AlignedGroup JobAligner::align_group(std::span<const PlacedProfile* const> jobs,
                                     const std::vector<int>& members,
                                     const std::vector<int>& tight) {
  SharedProfiles shared;
  for (const int l : tight) shared.links.push_back(links_[static_cast<std::size_t>(l)]);
  std::vector<Duration> given;
  for (const int j : members) {
    const PlacedProfile& it = *jobs[static_cast<std::size_t>(j)];
    shared.jobs.push_back(profile_on(it.profile, tight));
    given.push_back(it.period);
  }
  ShiftSearchOptions search;
  search.nodes = options_.nodes;
  search.circle_edges = kCircleEdges;
  const auto found = [&](const std::vector<Duration>& periods) {
    const Compatibility best = best_shifts(padded(shared, periods), search);
    AlignedGroup group;
    group.shifts = best.shifts;
    group.periods = periods;
    group.score = best.score;
    group.links = static_cast<int>(tight.size());
    group.padding = idle_fraction(periods, given);
    constexpr double kRounding = 1e-9;
    group.apart = best.score >= 1 - kRounding && best.rounding == 0;
    return group;
  };
  std::vector<Duration> slackened = given;
  for (Duration& it : slackened) {
    it += Duration(static_cast<std::int64_t>(static_cast<double>(it.count()) * options_.slack));
  }
  AlignedGroup plain = found(slackened);
  if (plain.apart) return plain;
  const std::vector<Duration> longer = padded_periods(slackened, options_.padding);
  if (longer == slackened) return plain;
  AlignedGroup other = found(longer);
  return other.score - other.padding > plain.score - plain.padding ? other : plain;
}

Aligned JobAligner::align(std::span<const PlacedProfile* const> jobs) {
  std::map<int, Users> users;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    for (const auto& it : peaks(jobs[j]->profile)) {
      Users& link = users[it.first];
      link.jobs.push_back(static_cast<int>(j));
      link.peak += it.second;
    }
  }
  Aligned all;
  std::vector<int> group(jobs.size());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int j) {
    while (group[static_cast<std::size_t>(j)] != j) j = group[static_cast<std::size_t>(j)];
    return j;
  };
  std::vector<int> tight;
  for (const auto& it : users) {
    if (it.second.jobs.size() < 2) continue;
    ++all.contended;
    if (it.second.peak <= links_[static_cast<std::size_t>(it.first)].capacity.bits_per_second) {
      continue;
    }
    tight.push_back(it.first);
    for (const int j : it.second.jobs) {
      const int a = root(j);
      const int b = root(it.second.jobs.front());
      group[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  double lost = 0;
  for (int j = 0; j < static_cast<int>(jobs.size()); ++j) {
    if (root(j) != j) continue;
    std::vector<int> members;
    std::vector<const PlacedProfile*> key;
    for (int k = j; k < static_cast<int>(jobs.size()); ++k) {
      if (root(k) != j) continue;
      members.push_back(k);
      key.push_back(jobs[static_cast<std::size_t>(k)]);
    }
    if (members.size() < 2) continue;
    std::vector<int> links;
    for (const int l : tight) {
      if (root(users[l].jobs.front()) == j) links.push_back(l);
    }
    auto known = found_.find(key);
    if (known == found_.end()) {
      known = found_.emplace(key, align_group(jobs, members, links)).first;
    }
    AlignedGroup found = known->second;
    found.jobs = members;
    lost += (1 - found.score) * found.links;
    all.padding += found.padding * static_cast<double>(members.size());
    all.groups.push_back(std::move(found));
  }
  if (all.contended > 0) all.score = 1 - lost / all.contended;
  if (!jobs.empty()) all.padding /= static_cast<double>(jobs.size());
  return all;
}

}  // namespace loom::jobs
