// Compact histogram of durations with bins 0.1 % wide: gives the mean and percentiles of millions
// of iteration times and needs little memory.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>

#include "loom/base/index.h"
#include "loom/base/statistics.h"
#include "loom/base/units.h"

namespace loom::jobs {

class TimeHistogram {
 public:
  // Requires time > 0.
  void add(Duration time) {
    ++bins_[bin(time)];
    ++count_;
    sum_ += time.count();
  }
  void add(const TimeHistogram& other) {
    for (const auto& it : other.bins_) bins_[it.first] += it.second;
    count_ += other.count_;
    sum_ += other.sum_;
  }

  std::int64_t count() const { return count_; }
  Duration mean() const {  // exact, rounded down; 0 if empty
    return count_ == 0 ? Duration(0) : Duration(static_cast<std::int64_t>(sum_ / count_));
  }
  // The percentile by nearest rank, rounded up to the upper end of its bin; 0 if empty.
  Duration percentile(double fraction) const {
    if (count_ == 0) return Duration(0);
    const auto wanted = static_cast<std::int64_t>(nearest_rank(fraction, to_index(count_)));
    std::int64_t seen = 0;
    for (const auto& it : bins_) {
      seen += it.second;
      if (seen >= wanted) return upper(it.first);
    }
    return Duration(0);
  }
  const std::map<int, std::int64_t>& bins() const { return bins_; }
  static Duration upper(int bin) {
    return Duration(static_cast<std::int64_t>(std::ceil(std::exp2((bin + 1) / kBinsPerDoubling))));
  }

 private:
  static constexpr double kBinsPerDoubling = 693;  // 2^(1/693) is 1.001
  static int bin(Duration time) {
    return static_cast<int>(
        std::floor(std::log2(static_cast<double>(time.count())) * kBinsPerDoubling));
  }

  std::map<int, std::int64_t> bins_;
  std::int64_t count_ = 0;
  Int128 sum_ = 0;
};

}  // namespace loom::jobs
