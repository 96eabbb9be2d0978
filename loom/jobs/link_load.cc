#include "loom/jobs/link_load.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace loom {
namespace {

std::int64_t modulo(std::int64_t value, std::int64_t length) {
  const std::int64_t rest = value % length;
  return rest < 0 ? rest + length : rest;
}

// Sums of rates that went up and down again are not quite what they were.
constexpr double kSameRate = 1e-12;

struct Change {
  std::int64_t at = 0;
  double by = 0;

  bool operator<(const Change& other) const { return at < other.at; }
};

// The function on [0, length) that begins at `first` and changes so.
std::vector<LinkLoad::Piece> pieces_from(double first, std::vector<Change> changes) {
  std::sort(changes.begin(), changes.end());
  std::vector<LinkLoad::Piece> pieces;
  double rate = first;
  std::int64_t begin = 0;
  const auto close = [&] {
    if (pieces.empty() || std::abs(pieces.back().rate - rate) > kSameRate) {
      pieces.push_back({begin, rate});
    }
  };
  for (const Change& it : changes) {
    if (it.at > begin) {
      close();
      begin = it.at;
    }
    rate += it.by;
  }
  close();
  return pieces;
}

// A stretch that begins at `begin`, goes on for `span` and adds `by`, on a circle of `length`.
void put(std::int64_t begin, std::int64_t span, double by, std::int64_t length, double& first,
         std::vector<Change>& changes) {
  first += by * static_cast<double>(span / length);
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
  if (pieces_.size() == 1) length_ = period;  // a load that never changes repeats as one likes
  const std::int64_t length = std::lcm(length_, period);
  double first = 0;
  std::vector<Change> changes;
  for (std::int64_t turn = 0; turn < length; turn += length_) {
    double before = turn == 0 ? 0 : pieces_.back().rate;
    for (const Piece& it : pieces_) {
      changes.push_back({turn + it.begin, it.rate - before});
      before = it.rate;
    }
  }
  for (std::int64_t turn = 0; turn < length; turn += period) {
    for (const Burst& it : bursts) {
      put(turn + it.begin + shift, it.end - it.begin, it.rate, length, first, changes);
    }
  }
  length_ = length;
  pieces_ = pieces_from(first, std::move(changes));
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
  std::vector<Change> changes;
  for (std::size_t p = 0; p < load.pieces().size(); ++p) {
    const LinkLoad::Piece& it = load.pieces()[p];
    const double added = excess(it.rate + rate) - excess(it.rate);
    if (added > 0) put(it.begin, load.end_of(p) - it.begin, added, repeats_, first, changes);
  }
  const double folds = static_cast<double>(load.length() / repeats_);
  Integral integral;
  integral.rate = rate;
  double sum = 0;
  for (const LinkLoad::Piece& it : pieces_from(first, std::move(changes))) {
    if (!integral.at.empty()) {
      sum += integral.slope.back() * static_cast<double>(it.begin - integral.at.back());
    }
    integral.at.push_back(it.begin);
    integral.sum.push_back(sum);
    integral.slope.push_back(std::max(0.0, it.rate) / folds);
  }
  integral.turn = sum + integral.slope.back() * static_cast<double>(repeats_ - integral.at.back());
  return integral;
}

double AddedExcess::Integral::until(std::int64_t moment, std::int64_t repeats) const {
  const std::int64_t rest = moment % repeats;
  const auto after = std::upper_bound(at.begin(), at.end(), rest);
  const auto piece = static_cast<std::size_t>(after - at.begin()) - 1;
  return turn * static_cast<double>(moment / repeats) + sum[piece] +
         slope[piece] * static_cast<double>(rest - at[piece]);
}

double AddedExcess::at(std::int64_t shift) const {
  const std::int64_t turned = modulo(shift, repeats_);
  double sum = 0;
  for (std::size_t b = 0; b < bursts_.size(); ++b) {
    const Integral& integral = integrals_[of_[b]];
    sum += integral.until(bursts_[b].end + turned, repeats_) -
           integral.until(bursts_[b].begin + turned, repeats_);
  }
  return std::max(0.0, sum) / static_cast<double>(period_);
}

}  // namespace loom
