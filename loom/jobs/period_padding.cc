#include "loom/jobs/period_padding.h"

#include <algorithm>

#include "loom/base/error.h"
#include "loom/base/parallel.h"

namespace loom {
namespace {

constexpr double kWorthWhile = 0.001;  // of score
constexpr std::int64_t kMostParts = 6;

struct Padding {
  double idle = 0;
  std::vector<Duration> periods;

  bool operator<(const Padding& other) const {
    return idle != other.idle ? idle < other.idle : periods < other.periods;
  }
};

// All periods as multiples of the unit.
Padding padded_to(std::int64_t unit, const SharedProfiles& profiles) {
  Padding padding;
  for (const JobProfile& job : profiles.jobs) {
    const std::int64_t period = job.period().count();
    const std::int64_t longer = (period + unit - 1) / unit * unit;
    padding.periods.emplace_back(longer);
    padding.idle += static_cast<double>(longer - period) / static_cast<double>(period);
  }
  padding.idle /= static_cast<double>(profiles.jobs.size());
  return padding;
}

std::vector<Padding> paddings(const SharedProfiles& profiles, double most_idle) {
  std::vector<Padding> all;
  for (const JobProfile& job : profiles.jobs) {
    for (std::int64_t parts = 1; parts <= kMostParts; ++parts) {
      const std::int64_t unit = (job.period().count() + parts - 1) / parts;
      Padding padding = padded_to(unit, profiles);
      if (padding.idle > 0 && padding.idle <= most_idle) all.push_back(std::move(padding));
    }
  }
  std::sort(all.begin(), all.end());
  const auto same = [](const Padding& a, const Padding& b) { return a.periods == b.periods; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace

SharedProfiles padded(const SharedProfiles& profiles, const std::vector<Duration>& periods) {
  SharedProfiles longer = profiles;
  for (std::size_t j = 0; j < periods.size(); ++j) {
    const Duration idle = periods[j] - profiles.jobs[j].period();
    LOOM_CHECK(idle >= Duration(0), "padding makes no iteration shorter");
    if (idle > Duration(0)) longer.jobs[j].stages.push_back({idle, {}});
  }
  return longer;
}

std::vector<PaddedPeriods> padding_worth_its_time(const SharedProfiles& profiles, double most_idle,
                                                  const ShiftSearchOptions& options, int threads) {
  std::vector<PaddedPeriods> worth;
  double best = best_shifts(profiles, options).score;
  if (best > 1 - kWorthWhile) return worth;
  std::vector<Padding> all = paddings(profiles, most_idle);
  std::vector<Compatibility> found(all.size());
  for_each_index(all.size(), threads, [&](std::size_t p) {
    found[p] = best_shifts(padded(profiles, all[p].periods), options);
  });
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (found[p].score < best + kWorthWhile) continue;
    best = found[p].score;
    worth.push_back({std::move(all[p].periods), all[p].idle, std::move(found[p])});
    if (best > 1 - kWorthWhile) break;
  }
  return worth;
}

}  // namespace loom
