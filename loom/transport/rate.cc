#include "loom/transport/rate.h"

#include <algorithm>
#include <numeric>

namespace loom {
namespace {

constexpr std::int64_t kLargestDenominator = 1 << 24;
constexpr Int128 kLargestCount = Int128{1} << 62;

}  // namespace

Rate fraction_of(std::int64_t counts, std::int64_t part, std::int64_t whole, std::int64_t error) {
  const std::int64_t common = std::gcd(part, whole);
  part /= common;
  whole /= common;
  const std::int64_t shared = std::gcd(counts, whole);
  const Int128 numerator = Int128{counts / shared} * part;
  whole /= shared;
  if (whole <= kLargestDenominator && numerator <= kLargestCount) {
    return {static_cast<std::int64_t>(numerator), whole, error};
  }
  return {static_cast<std::int64_t>(std::min(numerator / whole, kLargestCount)), 1, error + 1};
}

Int128 counts_of(Bandwidth bandwidth) { return Int128{bandwidth.bits_per_second} * kRateUnit; }

Bandwidth bandwidth_of(const Rate& rate) { return {rate.numerator / rate.denominator / kRateUnit}; }

Bytes bytes_in(Work work) {
  const Work one = work_of(Bytes{1});
  return {work <= 0 ? 0 : static_cast<std::int64_t>((work + one - 1) / one)};
}

Duration time_for(Work work, const Rate& rate) {
  if (work <= 0) return Duration(0);
  if (rate.numerator == 0) return kForever;
  const Int128 most = rate.numerator + Int128{rate.error} * rate.denominator;
  const Int128 time = (work * rate.denominator + most - 1) / most;
  return time > kForever.count() ? kForever : Duration(static_cast<std::int64_t>(time));
}

}  // namespace loom
