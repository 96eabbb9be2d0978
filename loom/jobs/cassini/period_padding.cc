#include "loom/jobs/cassini/period_padding.h"

#include <algorithm>

#include "loom/base/error.h"
#include "loom/base/parallel.h"
#include "loom/jobs/cassini/drifting_score.h"

namespace loom::jobs {
namespace {

constexpr double kWorthWhile = 0.001;  // smallest gain in score that counts
constexpr std::int64_t kMaxPaddedDivisor = 6;

struct Padding {
  double idle = 0;
  std::vector<Duration> periods;

  bool operator<(const Padding& other) const {
    return idle != other.idle ? idle < other.idle : periods < other.periods;
  }
};

Duration time_on(const JobProfile& job, int link) {
  Duration sum{0};
  for (const ProfileStage& stage : job.stages) {
    const bool here = std::any_of(stage.rates.begin(), stage.rates.end(),
                                  [&](const LinkRate& it) { return it.link == link; });
    if (here) sum += stage.length;
  }
  return sum;
}

// Adds candidate units: the time in which a link serves one iteration of all jobs that use it, or
// of any two of them, one after another. Skips times that fit in the shortest period.
void add_serialized_times(const SharedProfiles& profiles, int link, std::vector<Duration>& units) {
  std::vector<Duration> times;
  Duration shortest = Duration::max();
  for (const JobProfile& job : profiles.jobs) {
    const Duration time = time_on(job, link);
    if (time > Duration(0)) times.push_back(time);
    shortest = std::min(shortest, job.period());
  }
  const auto add = [&](Duration needed) {
    if (needed > shortest) units.push_back(needed);
  };
  Duration all{0};
  for (std::size_t a = 0; a < times.size(); ++a) {
    all += times[a];
    for (std::size_t b = 0; b < a; ++b) add(times[a] + times[b]);
  }
  add(all);
}

// Candidate units for padded periods: fractions of the periods, and the times to serve jobs one
// after another.
std::vector<Duration> units_of(const SharedProfiles& profiles) {
  std::vector<Duration> units;
  for (const JobProfile& it : profiles.jobs) {
    for (std::int64_t divisor = 1; divisor <= kMaxPaddedDivisor; ++divisor) {
      units.push_back(divided_up(it.period(), divisor));
    }
  }
  for (int link = 0; link < static_cast<int>(profiles.links.size()); ++link) {
    add_serialized_times(profiles, link, units);
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

std::vector<Padding> paddings(const SharedProfiles& profiles, double max_idle) {
  std::vector<Duration> periods;
  for (const JobProfile& it : profiles.jobs) periods.push_back(it.period());
  std::vector<Padding> all;
  for (const Duration unit : units_of(profiles)) {
    Padding padding;
    padding.periods = multiples_of(unit, periods);
    padding.idle = idle_fraction(padding.periods, periods);
    if (padding.idle > 0 && padding.idle <= max_idle) all.push_back(std::move(padding));
  }
  std::sort(all.begin(), all.end());
  const auto same = [](const Padding& a, const Padding& b) { return a.periods == b.periods; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace

Duration divided_up(Duration period, std::int64_t divisor) {
  return Duration((period.count() + divisor - 1) / divisor);
}

std::vector<Duration> multiples_of(Duration unit, std::span<const Duration> periods) {
  std::vector<Duration> longer;
  for (const Duration it : periods) longer.push_back(divided_up(it, unit.count()) * unit.count());
  return longer;
}

double idle_fraction(std::span<const Duration> longer, std::span<const Duration> periods) {
  double sum = 0;
  for (std::size_t j = 0; j < periods.size(); ++j) {
    sum += static_cast<double>((longer[j] - periods[j]).count()) /
           static_cast<double>(periods[j].count());
  }
  return sum / static_cast<double>(periods.size());
}

SharedProfiles padded(const SharedProfiles& profiles, std::span<const Duration> periods) {
  SharedProfiles longer = profiles;
  for (std::size_t j = 0; j < periods.size(); ++j) {
    std::vector<ProfileStage>& stages = longer.jobs[j].stages;
    const Duration idle = periods[j] - profiles.jobs[j].period();
    LOOM_CHECK(idle >= Duration(0), "padding makes no iteration shorter");
    if (idle == Duration(0)) continue;
    if (stages.empty() || !stages.back().rates.empty()) stages.emplace_back();
    stages.back().length += idle;
  }
  return longer;
}

std::vector<PaddedPeriods> padding_worth_its_time(const SharedProfiles& profiles, double max_idle,
                                                  const ShiftSearchOptions& options, int threads) {
  std::vector<PaddedPeriods> worth;
  const Compatibility unpadded = best_shifts(profiles, options);
  double best = unpadded.rounding > 0 ? drifting_score(profiles, unpadded.shifts) : unpadded.score;
  if (best > 1 - kWorthWhile) return worth;
  std::vector<Padding> all = paddings(profiles, max_idle);
  std::vector<Compatibility> found(all.size());
  for_each_index(all.size(), threads, [&](std::size_t p) {
    found[p] = best_shifts(padded(profiles, all[p].periods), options);
  });
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (found[p].rounding > 0 || found[p].score < best + kWorthWhile) continue;
    best = found[p].score;
    worth.push_back({std::move(all[p].periods), all[p].idle, std::move(found[p])});
    if (best > 1 - kWorthWhile) break;
  }
  return worth;
}

}  // namespace loom::jobs
