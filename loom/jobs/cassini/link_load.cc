#include "loom/jobs/cassini/link_load.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace loom::jobs {
namespace {

std::int64_t modulo(std::int64_t value, std::int64_t length) {
  const std::int64_t rest = value % length;
  return rest < 0 ? rest + length : rest;
}

// Tolerance for the rounding error of rates that result from many additions and subtractions.
constexpr double kSameRate = 1e-12;

// The piecewise constant function that has the value `first` at the start and changes by these
// steps, which are in time order.
std::vector<LinkLoad::Piece> pieces_from(double first, const std::vector<Kink>& changes) {
  std::vector<LinkLoad::Piece> pieces;
  double rate = first;
  std::int64_t begin = 0;
  const auto close = [&] {
    if (pieces.empty() || std::abs(pieces.back().rate - rate) > kSameRate) {
      pieces.push_back({begin, rate});
    }
  };
  for (const Kink& it : changes) {
    if (it.at > begin) {
      close();
      begin = it.at;
    }
    rate += it.by;
  }
  close();
  return pieces;
}

// Adds `by` over the interval [begin, begin + span), wrapped around a circle of `length`.
void put(std::int64_t begin, std::int64_t span, double by, std::int64_t length, double& first,
         std::vector<Kink>& changes) {
  const std::int64_t cycles = span / length;
  first += by * static_cast<double>(cycles);
  const std::int64_t rest = span % length;
  if (rest == 0) return;
  const std::int64_t from = modulo(begin, length);
  const std::int64_t until = from + rest;
  changes.push_back({from, by});
  if (until > length) {
    first += by;
    changes.push_back({until - length, -by});
  } else if (until < length) {
    changes.push_back({until, -by});
  }
}

}  // namespace

std::vector<RateStep> steps_of(const std::vector<Burst>& bursts, std::int64_t period) {
  LinkLoad load;
  load.add(bursts, period, 0);
  return load.steps();
}

double LinkLoad::mean_excess() const {
  double sum = 0;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    sum += excess(pieces_[p].rate) * static_cast<double>(end_of(p) - pieces_[p].begin);
  }
  return sum / static_cast<double>(length_);
}

double LinkLoad::mean_room() const {
  double sum = 0;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    sum += std::max(0.0, 1 - pieces_[p].rate) * static_cast<double>(end_of(p) - pieces_[p].begin);
  }
  return sum / static_cast<double>(length_);
}

std::vector<RateStep> LinkLoad::steps() const {
  std::vector<RateStep> steps;
  double before = pieces_.back().rate;
  for (const Piece& it : pieces_) {
    if (std::abs(it.rate - before) > kSameRate) steps.push_back({it.begin, it.rate > before});
    before = it.rate;
  }
  return steps;
}

void LinkLoad::add(const std::vector<Burst>& bursts, std::int64_t period, std::int64_t shift) {
  if (pieces_.size() == 1) length_ = period;  // a constant load repeats after any time
  const std::int64_t length = std::lcm(length_, period);
  double first = 0;
  std::vector<Kink> changes;
  for (std::int64_t cycle = 0; cycle < length; cycle += length_) {
    double before = cycle == 0 ? 0 : pieces_.back().rate;
    for (const Piece& it : pieces_) {
      changes.push_back({cycle + it.begin, it.rate - before});
      before = it.rate;
    }
  }
  const auto own = static_cast<std::ptrdiff_t>(changes.size());
  for (std::int64_t cycle = 0; cycle < length; cycle += period) {
    for (const Burst& it : bursts) {
      put(cycle + it.begin + shift, it.end - it.begin, it.rate, length, first, changes);
    }
  }
  std::sort(changes.begin() + own, changes.end());
  std::inplace_merge(changes.begin(), changes.begin() + own, changes.end());
  length_ = length;
  pieces_ = pieces_from(first, changes);
}

AddedExcess::AddedExcess(const LinkLoad& load, const std::vector<Burst>& bursts,
                         std::int64_t period)
    : bursts_(bursts), period_(period), repeats_(std::gcd(load.length(), period)) {
  for (const Burst& it : bursts) {
    const auto found = std::find_if(integrals_.begin(), integrals_.end(),
                                    [&](const Integral& known) { return known.rate == it.rate; });
    of_.push_back(static_cast<std::size_t>(found - integrals_.begin()));
    if (found == integrals_.end()) integrals_.push_back(integral(load, it.rate));
  }
}

AddedExcess::Integral AddedExcess::integral(const LinkLoad& load, double rate) const {
  double first = 0;
  std::vector<Kink> changes;
  for (std::size_t p = 0; p < load.pieces().size(); ++p) {
    const LinkLoad::Piece& it = load.pieces()[p];
    const double added = excess(it.rate + rate) - excess(it.rate);
    if (added > 0) put(it.begin, load.end_of(p) - it.begin, added, repeats_, first, changes);
  }
  std::sort(changes.begin(), changes.end());
  const std::int64_t folds = load.length() / repeats_;
  Integral integral;
  integral.rate = rate;
  double sum = 0;
  for (const LinkLoad::Piece& it : pieces_from(first, changes)) {
    if (!integral.at.empty()) {
      sum += integral.slope.back() * static_cast<double>(it.begin - integral.at.back());
    }
    integral.at.push_back(it.begin);
    integral.sum.push_back(sum);
    integral.slope.push_back(std::max(0.0, it.rate) / static_cast<double>(folds));
  }
  integral.cycle = sum + integral.slope.back() * static_cast<double>(repeats_ - integral.at.back());
  return integral;
}

double AddedExcess::Integral::until(std::int64_t time_point, std::int64_t repeats) const {
  const std::int64_t cycles = time_point / repeats;
  const std::int64_t rest = time_point % repeats;
  const auto after = std::upper_bound(at.begin(), at.end(), rest);
  const auto piece = static_cast<std::size_t>(after - at.begin()) - 1;
  return cycle * static_cast<double>(cycles) + sum[piece] +
         slope[piece] * static_cast<double>(rest - at[piece]);
}

double AddedExcess::Integral::slope_before(std::int64_t time_point, std::int64_t repeats) const {
  const auto after = std::lower_bound(at.begin(), at.end(), time_point % repeats);
  return after == at.begin() ? slope.back()
                             : slope[static_cast<std::size_t>(after - at.begin()) - 1];
}

double AddedExcess::at(std::int64_t shift) const {
  const std::int64_t rotated = modulo(shift, repeats_);
  double sum = 0;
  for (std::size_t b = 0; b < bursts_.size(); ++b) {
    const Integral& integral = integrals_[of_[b]];
    sum += integral.until(bursts_[b].end + rotated, repeats_) -
           integral.until(bursts_[b].begin + rotated, repeats_);
  }
  return std::max(0.0, sum) / static_cast<double>(period_);
}

std::vector<Kink> AddedExcess::kinks() const {
  std::vector<Kink> kinks;
  const double scale = 1 / static_cast<double>(period_);
  for (std::size_t b = 0; b < bursts_.size(); ++b) {
    const Integral& integral = integrals_[of_[b]];
    double before = integral.slope.back();
    for (std::size_t i = 0; i < integral.at.size(); ++i) {
      const double by = (integral.slope[i] - before) * scale;
      before = integral.slope[i];
      if (std::abs(by) * static_cast<double>(period_) <= kSameRate) continue;
      kinks.push_back({modulo(integral.at[i] - bursts_[b].end, repeats_), by});
      kinks.push_back({modulo(integral.at[i] - bursts_[b].begin, repeats_), -by});
    }
  }
  std::sort(kinks.begin(), kinks.end());
  return kinks;
}

double AddedExcess::first_slope() const {
  double sum = 0;
  for (std::size_t b = 0; b < bursts_.size(); ++b) {
    const Integral& integral = integrals_[of_[b]];
    sum += integral.slope_before(bursts_[b].end, repeats_) -
           integral.slope_before(bursts_[b].begin, repeats_);
  }
  return sum / static_cast<double>(period_);
}

}  // namespace loom::jobs
