#include "loom/transport/rate.h"

#include <algorithm>
#include <utility>

namespace loom::transport {
namespace {

constexpr std::int64_t kLargestDenominator = 1 << 24;
constexpr Int128 kLargestCount = Int128{1} << 62;

Int128 common_divisor(Int128 a, Int128 b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

}  // namespace

Rate fraction_of(Int128 counts, Int128 numerator, Int128 denominator, std::int64_t error) {
  const Int128 common = common_divisor(numerator, denominator);
  numerator /= common;
  denominator /= common;
  const Int128 shared = common_divisor(counts, denominator);
  counts /= shared;
  denominator /= shared;
  if (denominator <= kLargestDenominator && counts <= kLargestCount / numerator) {
    return {static_cast<std::int64_t>(counts * numerator), static_cast<std::int64_t>(denominator),
            error};
  }
  const Int128 count =
      counts / denominator * numerator + counts % denominator * numerator / denominator;
  return {static_cast<std::int64_t>(std::min(count, kLargestCount)), 1, error + 1};
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
  const Int128 max_numerator = rate.numerator + Int128{rate.error} * rate.denominator;
  const Int128 time = (work * rate.denominator + max_numerator - 1) / max_numerator;
  return time > kForever.count() ? kForever : Duration(static_cast<std::int64_t>(time));
}

}  // namespace loom::transport
