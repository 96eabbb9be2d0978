// A rate as an exact fraction, so that a third of a link is exactly a third.
//
// Rates are counted in 1/1024 bit/s. A share of one bottleneck is exact: its denominator is the
// number of flows. Nested shares can need unbounded denominators; those are rounded down to an
// integer count, and `error` bounds how far the true rate may be above the rounded rate. Code that
// adds up bytes at such a rate also adds up the error, and so knows in which picosecond a transfer
// really ends.
#pragma once

#include <cstdint>

#include "loom/base/units.h"

namespace loom::transport {

inline constexpr std::int64_t kRateUnit = 1024;  // counts per bit/s

struct Rate {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;  // at most 2^24, so that bytes · denominator stay within 128 bits
  std::int64_t error = 0;

  bool operator==(const Rate& other) const {
    return Int128{numerator} * other.denominator == Int128{other.numerator} * denominator &&
           error == other.error;
  }
};

// counts · numerator / denominator, exact if the reduced denominator is small enough, else rounded
// down.
Rate fraction_of(Int128 counts, Int128 numerator, Int128 denominator, std::int64_t error);

// The bandwidth in counts.
Int128 counts_of(Bandwidth bandwidth);

// The rate in bit/s, rounded down.
Bandwidth bandwidth_of(const Rate& rate);

// Amount of data in units of 2^-10 · 10^-12 bit, so that a rate in counts times a time in
// picoseconds is exact.
using Work = Int128;

inline Work work_of(Bytes size) { return Int128{size.count} * 8 * kRateUnit * 1'000'000'000'000; }

// Bytes that correspond to this work, rounded up; 0 for negative work.
Bytes bytes_in(Work work);

// Work done in this time, rounded down.
inline Work work_done(const Rate& rate, Duration time) {
  return Int128{rate.numerator} * time.count() / rate.denominator;
}

// Time for the work if the true rate is as high as the error allows, rounded up; kForever at rate 0
// or beyond the range of the clock.
Duration time_for(Work work, const Rate& rate);

}  // namespace loom::transport
