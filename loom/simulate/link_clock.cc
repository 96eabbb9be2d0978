#include "loom/simulate/link_clock.h"

#include <numeric>

namespace loom::simulate {

// Reduces rest / weight to lowest terms so that products with the weight stay small.
void LinkClock::reduce() {
  if (rest_ == 0) return;
  const std::int64_t common = std::gcd(rest_, weight_);
  rest_ /= common;
  weight_ /= common;
}

// Changes the clock to a quantum that is 2^bits times as large, and its reading to zero.
void LinkClock::coarsen(int bits) {
  if (first_ != kNoMark) first_ = (first_ - reading_) >> bits;
  reading_ = 0;
}

// The smallest t with t · (speed + rest / weight) >= the remaining work.
TimePoint LinkClock::next_end() const {
  if (!runs()) return kNever;
  const Int128 left = first_ - reading_;
  if (left <= 0) return since_;
  const Int128 max_time = (kNever - since_).count();
  Int128 time = 0;
  if (rest_ == 0) {
    time = (left - 1) / speed_ + 1;
  } else {
    const Int128 whole = Int128{speed_} * weight_ + rest_;  // per `weight` picoseconds
    if (left / whole > max_time / weight_) return kNever;
    const Int128 rest = left % whole;
    Int128 product = 0;
    time = left / whole * weight_;
    time += __builtin_mul_overflow(rest, Int128{weight_}, &product)
                ? (rest + speed_) / (speed_ + 1)  // a slight underestimate: the caller asks again
                : (product + whole - 1) / whole;
  }
  return time < max_time ? since_ + Duration(static_cast<std::int64_t>(time)) : kNever;
}

}  // namespace loom::simulate
