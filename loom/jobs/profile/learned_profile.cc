#include "loom/jobs/profile/learned_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <numeric>

#include "loom/base/csv.h"
#include "loom/jobs/cassini/circle_periods.h"

namespace loom::jobs {
namespace {

constexpr std::size_t kMaxBins = std::size_t{1} << 20;
constexpr std::size_t kMinBins = 16;
constexpr double kMinPeriodicity = 0.2;
constexpr double kMinPeriods = 3;  // number of periods that a series must contain
// Multiples of the period correlate as strongly as the period itself, so the period is the first
// peak that reaches this fraction of the highest.
constexpr double kNearlyHighest = 0.85;
constexpr std::size_t kMaxPhaseBins = 400;  // max bins per period; segmentation is quadratic in it
constexpr std::size_t kMaxPhases = 24;

using Complex = std::complex<double>;

// In-place FFT; the size is a power of two (Cooley and Tukey, 1965).
void transform(std::vector<Complex>& values) {
  const std::size_t size = values.size();
  for (std::size_t i = 1, j = 0; i < size; ++i) {
    std::size_t bit = size >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j |= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  for (std::size_t length = 2; length <= size; length *= 2) {
    const double angle = 2 * std::numbers::pi / static_cast<double>(length);
    for (std::size_t k = 0; k < length / 2; ++k) {
      const Complex twiddle = std::polar(1.0, angle * static_cast<double>(k));
      for (std::size_t from = k; from < size; from += length) {
        const Complex odd = values[from + length / 2] * twiddle;
        values[from + length / 2] = values[from] - odd;
        values[from] += odd;
      }
    }
  }
}

// Autocorrelation per lag, up to half the series, 1 at lag 0; each lag is averaged over its own
// number of pairs.
std::vector<double> autocorrelation(const std::vector<double>& series) {
  const double mean =
      std::accumulate(series.begin(), series.end(), 0.0) / static_cast<double>(series.size());
  std::size_t size = 1;
  while (size < 2 * series.size()) size *= 2;
  std::vector<Complex> values(size);
  for (std::size_t i = 0; i < series.size(); ++i) values[i] = series[i] - mean;
  transform(values);
  for (Complex& it : values) it = std::norm(it);
  transform(values);
  std::vector<double> like(series.size() / 2 + 1, 0);
  if (values[0].real() <= 0) return like;
  for (std::size_t lag = 0; lag < like.size(); ++lag) {
    const auto pairs = static_cast<double>(series.size() - lag);
    like[lag] = values[lag].real() / values[0].real() * static_cast<double>(series.size()) / pairs;
  }
  return like;
}

// Interpolated position of the peak near a lag: the vertex of the parabola through it and its
// neighbors.
double top_near(const std::vector<double>& like, std::size_t lag) {
  if (lag == 0 || lag + 1 >= like.size()) return static_cast<double>(lag);
  const double bend = like[lag - 1] - 2 * like[lag] + like[lag + 1];
  const double off = bend < 0 ? 0.5 * (like[lag - 1] - like[lag + 1]) / bend : 0;
  return static_cast<double>(lag) + std::clamp(off, -0.5, 0.5);
}

struct Period {
  double bins = 0;
  double periodicity = 0;
};

Period first_peak(const std::vector<double>& like) {
  std::size_t lag = 1;
  while (lag < like.size() && like[lag] > 0) ++lag;  // skips the correlation of adjacent samples
  if (lag >= like.size()) return {};
  const double highest =
      *std::max_element(like.begin() + static_cast<std::ptrdiff_t>(lag), like.end());
  for (; lag + 1 < like.size(); ++lag) {
    const bool peak = like[lag] >= like[lag - 1] && like[lag] >= like[lag + 1];
    if (peak && like[lag] >= kNearlyHighest * highest) return {top_near(like, lag), like[lag]};
  }
  return {};
}

// Refines the period by the peaks at its multiples, as long as each is found where it is expected.
Period refined(const std::vector<double>& like, Period period) {
  for (std::size_t times = 2;; ++times) {
    const double expected = period.bins * static_cast<double>(times);
    const double room = std::max(1.0, period.bins / 8);
    const auto from = static_cast<std::size_t>(expected - room);
    const auto until = static_cast<std::size_t>(expected + room) + 1;
    if (until + 1 >= like.size()) return period;
    const auto top = std::max_element(like.begin() + static_cast<std::ptrdiff_t>(from),
                                      like.begin() + static_cast<std::ptrdiff_t>(until));
    if (*top < period.periodicity / 2) return period;
    period.bins =
        top_near(like, static_cast<std::size_t>(top - like.begin())) / static_cast<double>(times);
  }
}

// The bin that contains the middle of an interval, if a period has `bins` bins.
std::size_t bin_of(std::size_t interval, double period, std::size_t bins) {
  const double cycle = (static_cast<double>(interval) + 0.5) / period;
  const double phase = (cycle - std::floor(cycle)) * static_cast<double>(bins);
  return std::min(bins - 1, static_cast<std::size_t>(phase));
}

// The mean of the series over all periods, per bin, and its variation between periods.
struct Folded {
  std::vector<double> mean;
  double noise = 0;  // variance of a bin's mean
};

Folded fold(const std::vector<double>& series, double period) {
  const std::size_t bins =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(period)), 4, kMaxPhaseBins);
  std::vector<double> sum(bins, 0);
  std::vector<double> squares(bins, 0);
  std::vector<double> count(bins, 0);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::size_t bin = bin_of(i, period, bins);
    sum[bin] += series[i];
    squares[bin] += series[i] * series[i];
    ++count[bin];
  }
  Folded folded;
  for (std::size_t b = 0; b < bins; ++b) {
    const double n = std::max(1.0, count[b]);
    folded.mean.push_back(sum[b] / n);
    const double variance = std::max(0.0, squares[b] / n - folded.mean[b] * folded.mean[b]);
    folded.noise += variance / n / static_cast<double>(bins);
  }
  return folded;
}

// The variance not explained by the folded mean, per remaining degree of freedom: pure noise gives
// the same value for any multiple of the period.
double unexplained(const std::vector<double>& series, double period) {
  const Folded folded = fold(series, period);
  const std::size_t bins = folded.mean.size();
  double squares = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double off = series[i] - folded.mean[bin_of(i, period, bins)];
    squares += off * off;
  }
  return squares / static_cast<double>(series.size() - bins);
}

// The part of the unexplained variance that sampling causes: if the period is not an integer number
// of intervals, each period is sampled at different phases, and the edges of bursts differ from
// period to period.
double by_sampling(const std::vector<double>& series, double period) {
  double sum = 0;
  double squares = 0;
  const auto periods = static_cast<int>(static_cast<double>(series.size()) / period);
  for (int cycle = 0; cycle < periods; ++cycle) {
    const double begun = cycle * period;
    const double off = begun - std::round(begun);
    sum += off;
    squares += off * off;
  }
  const double spread = squares / periods - (sum / periods) * (sum / periods);
  const std::vector<double> mean = fold(series, period).mean;
  double steps = 0;  // the edge of a burst spreads over two bins and affects three
  for (std::size_t b = 0; b < mean.size(); ++b) {
    const double up = mean[b] - mean[(b + mean.size() - 1) % mean.size()];
    const double down = mean[b] - mean[(b + 1) % mean.size()];
    steps += std::max(up * up, down * down);
  }
  return 2 * spread * steps / static_cast<double>(mean.size());
}

// Returns the period of a complete iteration. Two different bursts, half an iteration apart, can
// correlate so well that half an iteration looks like the period. A multiple of the period replaces
// it if that leaves less than half of the unexplained variance.
Period full_iteration(const std::vector<double>& series, const std::vector<double>& like,
                      Period period) {
  for (const int times : {2, 3, 2}) {
    const double longer = period.bins * times;
    if (longer * kMinPeriods > static_cast<double>(series.size())) continue;
    const double left = unexplained(series, period.bins) - by_sampling(series, period.bins);
    if (2 * unexplained(series, longer) >= left) continue;
    period = {longer, like[static_cast<std::size_t>(std::lround(longer))]};
  }
  return period;
}

// Rounds the period to an integer number of intervals if that explains the series at least as well:
// a short series determines its period only roughly.
Period rounded_if_as_good(const std::vector<double>& series, Period period) {
  const double rounded = std::round(period.bins);
  const double periods = static_cast<double>(series.size()) / period.bins;
  if (std::abs(rounded - period.bins) * periods > 1)
    return period;  // would be off by an interval at the end
  if (unexplained(series, rounded) <= unexplained(series, period.bins)) period.bins = rounded;
  return period;
}

// The bin with the steepest rise, where the profile should begin.
std::size_t steepest(const std::vector<double>& mean) {
  std::size_t best = 0;
  double rise = -1;
  for (std::size_t b = 0; b < mean.size(); ++b) {
    const double here = mean[b] - mean[(b + mean.size() - 1) % mean.size()];
    if (here > rise) {
      rise = here;
      best = b;
    }
  }
  return best;
}

// The ends of the segments of the best piecewise constant fit, by dynamic programming. A penalty
// per segment selects their number, so that each segment explains more than noise.
std::vector<std::size_t> segment_ends(const std::vector<double>& values, double noise) {
  const std::size_t size = values.size();
  std::vector<double> sum(size + 1, 0);
  std::vector<double> squares(size + 1, 0);
  for (std::size_t i = 0; i < size; ++i) {
    sum[i + 1] = sum[i] + values[i];
    squares[i + 1] = squares[i] + values[i] * values[i];
  }
  const auto cost = [&](std::size_t from, std::size_t until) {
    const double s = sum[until] - sum[from];
    return squares[until] - squares[from] - s * s / static_cast<double>(until - from);
  };
  const std::size_t max_phases = std::min(kMaxPhases, size);
  constexpr double kNone = std::numeric_limits<double>::max();
  std::vector<std::vector<double>> left(max_phases + 1, std::vector<double>(size + 1, kNone));
  std::vector<std::vector<std::size_t>> last(max_phases + 1, std::vector<std::size_t>(size + 1, 0));
  left[0][0] = 0;
  // Minimum gain per segment: 0.05 % of the total squared deviation.
  const double floor = cost(0, size) * 5e-4;
  const double penalty = std::max(floor, 6 * noise * std::log(static_cast<double>(size)));
  std::size_t best = 1;
  for (std::size_t segments = 1; segments <= max_phases; ++segments) {
    for (std::size_t until = segments; until <= size; ++until) {
      for (std::size_t from = segments - 1; from < until; ++from) {
        if (left[segments - 1][from] == kNone) continue;
        const double all = left[segments - 1][from] + cost(from, until);
        if (all < left[segments][until]) {
          left[segments][until] = all;
          last[segments][until] = from;
        }
      }
    }
    const double now = left[segments][size] + penalty * static_cast<double>(segments);
    if (now < left[best][size] + penalty * static_cast<double>(best)) best = segments;
  }
  std::vector<std::size_t> ends(best);
  for (std::size_t segment = best, until = size; segment > 0; --segment) {
    ends[segment - 1] = until;
    until = last[segment][until];
  }
  return ends;
}

}  // namespace

Series read_series(std::string text, const std::string& source, const SourceLocation& from) {
  static constexpr std::array<CsvColumn, 2> kColumns = {
      {{"time", ValueType::duration}, {"bytes", ValueType::size}}};
  const CsvTable table = parse_csv(std::move(text), source, kColumns);
  if (table.rows() < kMinBins) {
    throw InputError(from, fmt::format("{} has {} rows; at least {} are needed", source,
                                       table.rows(), kMinBins));
  }
  std::vector<Duration> at;
  std::vector<double> bytes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    at.push_back(table.rough_duration(row, "time"));
    bytes.push_back(static_cast<double>(table.size(row, "bytes").count));
    if (row > 0 && at[row] <= at[row - 1])
      table.refuse(row, "time", "a time after that of the row before is needed");
  }
  std::vector<Duration> steps;
  for (std::size_t row = 1; row < at.size(); ++row) steps.push_back(at[row] - at[row - 1]);
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2),
                   steps.end());
  Series series{at.front(), steps[steps.size() / 2], {}};
  const auto span = static_cast<std::size_t>((at.back() - at.front()) / series.interval) + 1;
  if (span > kMaxBins) {
    throw InputError(from, fmt::format("{} spans {} intervals of {}; at most {} are supported",
                                       source, span, readable(series.interval), kMaxBins));
  }
  // The bytes of a row arrived since the previous row; they are spread evenly over that time.
  series.bytes.assign(span, 0);
  for (std::size_t row = 1; row < at.size(); ++row) {
    const auto begin = static_cast<double>((at[row - 1] - at.front()).count());
    const auto end = static_cast<double>((at[row] - at.front()).count());
    const auto width = static_cast<double>(series.interval.count());
    for (auto bin = static_cast<std::size_t>(begin / width);
         bin < span && static_cast<double>(bin) * width < end; ++bin) {
      const double from_here = std::max(begin, static_cast<double>(bin) * width);
      const double until = std::min(end, static_cast<double>(bin + 1) * width);
      if (until > from_here) series.bytes[bin] += bytes[row] * (until - from_here) / (end - begin);
    }
  }
  series.bytes.pop_back();  // nothing is known after the last row
  return series;
}

Learned learn_profile(const Series& series, const SourceLocation& from) {
  const std::vector<double> like = autocorrelation(series.bytes);
  const Period rough = first_peak(like);
  const bool periodic = rough.bins >= 1 && rough.periodicity >= kMinPeriodicity;
  Period period = periodic ? full_iteration(series.bytes, like, refined(like, rough)) : Period{};
  if (period.bins >= 4) period = rounded_if_as_good(series.bytes, period);
  // The interval that ends at the first row counts, although its bytes are not used.
  const auto intervals = static_cast<double>(series.bytes.size() + 1);
  if (period.bins < 4 || period.bins * kMinPeriods > intervals) {
    throw InputError(from,
                     "the series has no period of at least four intervals that occurs at least "
                     "three times; a longer or more regular series is needed");
  }
  const Folded folded = fold(series.bytes, period.bins);
  const std::size_t bins = folded.mean.size();
  const std::size_t first = steepest(folded.mean);
  std::vector<double> values;
  for (std::size_t b = 0; b < bins; ++b) values.push_back(folded.mean[(first + b) % bins]);
  Learned learned;
  learned.periodicity = std::min(1.0, period.periodicity);
  const auto interval = static_cast<double>(series.interval.count());
  learned.period = Duration(std::llround(period.bins * interval));
  if (learned.period > kLongestPeriod) {
    throw InputError(from, fmt::format("the series has a period of {}; at most {} is supported",
                                       readable(learned.period), readable(kLongestPeriod)));
  }
  learned.offset = Duration(learned.period.count() * static_cast<std::int64_t>(first) /
                            static_cast<std::int64_t>(bins));
  std::vector<double> fitted(bins, 0);
  const double highest = *std::max_element(values.begin(), values.end());
  std::size_t begun = 0;
  Duration at{0};
  for (const std::size_t end : segment_ends(values, folded.noise)) {
    double level = 0;
    for (std::size_t b = begun; b < end; ++b) level += values[b];
    level /= static_cast<double>(end - begun);
    if (level < 0.02 * highest) level = 0;  // background traffic, because a link is rarely idle
    for (std::size_t b = begun; b < end; ++b) fitted[(first + b) % bins] = level;
    const Duration until(learned.period.count() * static_cast<std::int64_t>(end) /
                         static_cast<std::int64_t>(bins));
    const double bits_per_second = level * 8 / (interval * 1e-12);
    learned.phases.push_back(
        {until - at, Bandwidth{static_cast<std::int64_t>(std::llround(bits_per_second))}});
    at = until;
    begun = end;
  }
  double off = 0;
  double all = 0;
  for (std::size_t i = 0; i < series.bytes.size(); ++i) {
    off += std::abs(series.bytes[i] - fitted[bin_of(i, period.bins, bins)]);
    all += series.bytes[i];
  }
  learned.error = all > 0 ? off / all / 2 : 0;  // each misplaced byte is counted twice
  return learned;
}

}  // namespace loom::jobs
