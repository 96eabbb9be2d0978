#include "loom/jobs/cassini/circle_periods.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "loom/base/error.h"

namespace loom::jobs {
namespace {

// Max number of edges on all circles together, as a multiple of the limit for one circle.
constexpr std::int64_t kLongCircles = 20;

// The jobs that use each link.
std::vector<std::vector<std::size_t>> users_of(const SharedProfiles& profiles) {
  std::vector<std::vector<std::size_t>> users(profiles.links.size());
  for (std::size_t j = 0; j < profiles.jobs.size(); ++j) {
    for (const ProfileStage& stage : profiles.jobs[j].stages) {
      for (const LinkRate& it : stage.rates) {
        std::vector<std::size_t>& on = users[static_cast<std::size_t>(it.link)];
        if (on.empty() || on.back() != j) on.push_back(j);
      }
    }
  }
  return users;
}

// Upper bound on the number of edges: two per stage that uses the link.
std::int64_t edges_on(const JobProfile& job, std::size_t link) {
  std::int64_t edges = 0;
  for (const ProfileStage& stage : job.stages) {
    for (const LinkRate& it : stage.rates) {
      if (it.link == static_cast<int>(link)) edges += 2;
    }
  }
  return edges;
}

// Sets of jobs that contend, directly or through others. A job without contention is in no set.
std::vector<std::vector<std::size_t>> contending_jobs(
    const std::vector<std::vector<std::size_t>>& users, std::size_t jobs) {
  std::vector<std::size_t> set(jobs);
  std::iota(set.begin(), set.end(), std::size_t{0});
  for (const std::vector<std::size_t>& on : users) {
    for (const std::size_t job : on) {
      const std::size_t from = set[job];
      const std::size_t to = set[on.front()];
      std::replace(set.begin(), set.end(), std::max(from, to), std::min(from, to));
    }
  }
  std::vector<std::vector<std::size_t>> sets(jobs);
  for (std::size_t j = 0; j < jobs; ++j) sets[set[j]].push_back(j);
  std::erase_if(sets, [](const std::vector<std::size_t>& it) { return it.size() < 2; });
  return sets;
}

// The circles of the links that these jobs share.
class Circles {
 public:
  Circles(const SharedProfiles& profiles, const std::vector<std::vector<std::size_t>>& users,
          const std::vector<std::size_t>& jobs) {
    for (std::size_t l = 0; l < users.size(); ++l) {
      if (users[l].size() < 2 ||
          std::find(jobs.begin(), jobs.end(), users[l].front()) == jobs.end()) {
        continue;
      }
      Circle circle{users[l], {}};
      for (const std::size_t job : users[l])
        circle.edges.push_back(edges_on(profiles.jobs[job], l));
      circles_.push_back(std::move(circle));
    }
  }

  std::int64_t peak_edges(std::span<const std::int64_t> periods, std::int64_t max_edges) const {
    std::int64_t found = 0;
    std::int64_t sum = 0;
    for (const Circle& it : circles_) {
      const std::int64_t here = edges(it, periods, max_edges);
      found = std::max(found, here);
      sum += here;
    }
    return sum > kLongCircles * max_edges ? max_edges + 1 : found;
  }

 private:
  struct Circle {
    std::vector<std::size_t> jobs;
    std::vector<std::int64_t> edges;
  };

  static std::int64_t edges(const Circle& circle, std::span<const std::int64_t> periods,
                            std::int64_t max_edges) {
    Int128 perimeter = 1;
    for (const std::size_t job : circle.jobs) {
      const std::int64_t period = periods[job];
      perimeter *= period / std::gcd(static_cast<std::int64_t>(perimeter % period), period);
      // Beyond this, sums of time points would overflow 63 bits.
      if (perimeter > std::numeric_limits<std::int64_t>::max() / 4) return max_edges + 1;
    }
    Int128 sum = 0;
    for (std::size_t i = 0; i < circle.jobs.size(); ++i) {
      sum += perimeter / periods[circle.jobs[i]] * circle.edges[i];
    }
    return sum > max_edges ? max_edges + 1 : static_cast<std::int64_t>(sum);
  }

  std::vector<Circle> circles_;
};

std::vector<std::int64_t> periods_of(const SharedProfiles& profiles) {
  std::vector<std::int64_t> periods;
  for (const JobProfile& it : profiles.jobs) periods.push_back(it.period().count());
  return periods;
}

// Candidate units are periods divided by 1 to this number (60 ms and 40 ms are multiples of a third
// of 60 ms), and round values. With a smaller number, unrelated periods would be rounded by several
// percent.
constexpr std::int64_t kMaxCircleDivisor = 64;

std::vector<std::int64_t> units_for(const std::vector<std::int64_t>& periods,
                                    const std::vector<std::size_t>& jobs) {
  std::vector<std::int64_t> units;
  std::int64_t longest = 0;
  for (const std::size_t job : jobs) {
    const std::int64_t period = periods[job];
    longest = std::max(longest, period);
    for (std::int64_t divisor = 1; divisor <= kMaxCircleDivisor; ++divisor) {
      if (period / divisor > 0) units.push_back(period / divisor);
    }
  }
  for (std::int64_t decade = 1; decade <= longest; decade *= 10) {
    for (const std::int64_t step : {1, 2, 5}) units.push_back(decade * step);
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

struct Rounded {
  std::vector<std::int64_t> periods;
  double change = 0;  // largest relative change of a period
  std::int64_t edges = 0;
};

Rounded rounded_to(std::int64_t unit, const std::vector<std::int64_t>& periods,
                   const std::vector<std::size_t>& jobs) {
  Rounded rounded{periods, 0, 0};
  for (const std::size_t job : jobs) {
    const std::int64_t period = periods[job];
    const std::int64_t times = std::max<std::int64_t>(1, (period + unit / 2) / unit);
    rounded.periods[job] = times * unit;
    rounded.change = std::max(rounded.change, std::abs(static_cast<double>(times * unit - period)) /
                                                  static_cast<double>(period));
  }
  return rounded;
}

// Periods may change by up to this multiple of the smallest possible change if that shortens the
// circles.
constexpr double kLittleMore = 2;

// If periods differ by a factor of thousands, circles are long, and rounding distorts the shorter
// periods. If rounding would change a period by more than kTooMuch, the periods are kept, provided
// that the circles have at most kLonger times as many edges.
constexpr double kTooMuch = 0.05;
constexpr std::int64_t kLonger = 16;

std::optional<Rounded> best_rounding(const Circles& circles,
                                     const std::vector<std::int64_t>& periods,
                                     const std::vector<std::size_t>& jobs, std::int64_t max_edges,
                                     double tolerance) {
  std::vector<Rounded> all;
  for (const std::int64_t unit : units_for(periods, jobs)) {
    Rounded it = rounded_to(unit, periods, jobs);
    it.edges = circles.peak_edges(it.periods, max_edges);
    if (it.edges <= max_edges) all.push_back(std::move(it));
  }
  if (all.empty()) return std::nullopt;
  const auto smallest = std::min_element(
      all.begin(), all.end(), [](const auto& a, const auto& b) { return a.change < b.change; });
  const double allowed = std::max(tolerance, kLittleMore * smallest->change);
  std::erase_if(all, [&](const Rounded& it) { return it.change > allowed; });
  return *std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(a.edges, a.change) < std::pair(b.edges, b.change);
  });
}

}  // namespace

JobProfile with_period(const JobProfile& job, Duration period) {
  JobProfile changed = job;
  Duration left = period - job.period();
  ProfileStage* longest = nullptr;
  for (ProfileStage& it : changed.stages) {
    if (it.rates.empty() && (longest == nullptr || it.length > longest->length)) longest = &it;
  }
  if (longest == nullptr && left.count() > 0) {
    changed.stages.push_back({left, {}});
  } else if (longest != nullptr && longest->length + left >= Duration(0)) {
    longest->length += left;
  } else {
    // Too little computation to absorb the change: scale the ends of all stages proportionally.
    const Int128 was = job.period().count();
    Int128 end = 0;
    Duration begun{0};
    for (ProfileStage& it : changed.stages) {
      end += it.length.count();
      const Duration ends(static_cast<std::int64_t>(end * period.count() / was));
      it.length = ends - begun;
      begun = ends;
    }
  }
  LOOM_CHECK(changed.period() == period, "a job has the period it was given");
  return changed;
}

JobProfile delayed(const JobProfile& job, Duration by) {
  JobProfile rotated = job;
  std::vector<ProfileStage>& stages = rotated.stages;
  by %= job.period();
  Duration late{0};  // length of the stages that move from the end of the circle to its beginning
  std::size_t split = stages.size();
  while (late < by) late += stages[--split].length;
  if (late > by) {
    ProfileStage rest = stages[split];
    rest.length = by - (late - rest.length);
    stages[split].length -= rest.length;
    stages.insert(stages.begin() + static_cast<std::ptrdiff_t>(++split), rest);
  }
  std::rotate(stages.begin(), stages.begin() + static_cast<std::ptrdiff_t>(split), stages.end());
  return rotated;
}

std::int64_t circle_edges(const SharedProfiles& profiles, std::int64_t max_edges) {
  const auto users = users_of(profiles);
  std::int64_t found = 0;
  for (const auto& jobs : contending_jobs(users, profiles.jobs.size())) {
    found =
        std::max(found, Circles(profiles, users, jobs).peak_edges(periods_of(profiles), max_edges));
  }
  return found;
}

SharedProfiles with_short_circles(const SharedProfiles& profiles, std::int64_t max_edges,
                                  double tolerance) {
  SharedProfiles changed = profiles;
  const auto users = users_of(profiles);
  const std::vector<std::int64_t> periods = periods_of(profiles);
  for (const auto& jobs : contending_jobs(users, profiles.jobs.size())) {
    const Circles circles(profiles, users, jobs);
    const std::int64_t edges = circles.peak_edges(periods, max_edges);
    if (edges <= max_edges && tolerance <= 0) continue;
    const std::optional<Rounded> rounded =
        best_rounding(circles, periods, jobs, max_edges, tolerance);
    if (rounded && rounded->change > kTooMuch &&
        circles.peak_edges(periods, kLonger * max_edges) <= kLonger * max_edges) {
      continue;
    }
    // No unit suffices: even one iteration of every job has too many edges.
    if (!rounded) continue;
    if (edges <= max_edges && (rounded->edges >= edges || rounded->change > tolerance)) continue;
    for (const std::size_t job : jobs) {
      changed.jobs[job] = with_period(profiles.jobs[job], Duration(rounded->periods[job]));
    }
  }
  return changed;
}

}  // namespace loom::jobs
