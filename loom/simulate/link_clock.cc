#include "loom/simulate/link_clock.h"

#include <limits>
#include <numeric>

namespace loom {
namespace {

constexpr std::int64_t kFewFlows = 1 << 24;

}  // namespace

// The rest in lowest terms where it is large, so that products with the weight stay small.
void LinkClock::set_level(const Level& level) {
  speed_ = level.exists() ? level.floor + level.error : 0;
  rest_ = level.exists() ? level.rest : 0;
  weight_ = level.weight;
  if (rest_ == 0 || weight_ <= kFewFlows) return;
  const std::int64_t common = std::gcd(rest_, weight_);
  rest_ /= common;
  weight_ /= common;
}

void LinkClock::advance(Duration now) {
  const std::int64_t span = (now - since_).count();
  since_ = now;
  reading_ += Int128{speed_} * span;
  if (rest_ == 0 || span == 0) return;
  constexpr Int128 kSmall = std::numeric_limits<std::int64_t>::max();
  const Int128 rest = Int128{rest_} * span + weight_ - 1;
  reading_ += rest <= kSmall ? static_cast<std::int64_t>(rest) / weight_ : rest / weight_;
}

// A quantum is from now on 2^bits of the old ones.
void LinkClock::coarsen(int bits) {
  if (first_ != kNoMark) first_ = (first_ - reading_) >> bits;
  reading_ = 0;
}

LinkClock::End LinkClock::next_end_at_soonest() const {
  constexpr double kRoundedDown = 1 - 0x1p-48;
  constexpr double kFarAway = 0x1p62;
  const Int128 left = first_ - reading_;
  if (rest_ == 0 || left <= 0 || left >> 95 != 0) return {next_end(), true};
  const double high = static_cast<double>(static_cast<std::int64_t>(left >> 32)) * 0x1p32;
  const double time = high / (static_cast<double>(speed_) + 1) * kRoundedDown;
  if (!(time < kFarAway)) return {next_end(), true};
  const auto span = Duration(static_cast<std::int64_t>(time));
  return {span < kForever - since_ ? since_ + span : kForever, false};
}

// The least t with t · (speed + rest / weight) >= what is left.
Duration LinkClock::next_end() const {
  if (!runs()) return kForever;
  const Int128 left = first_ - reading_;
  if (left <= 0) return since_;
  const Int128 most = kForever.count() - since_.count();
  Int128 time = 0;
  if (rest_ == 0) {
    time = (left - 1) / speed_ + 1;
  } else {
    const Int128 whole = Int128{speed_} * weight_ + rest_;  // in `weight` picoseconds
    if (left / whole > most / weight_) return kForever;
    const Int128 rest = left % whole;
    Int128 product = 0;
    time = left / whole * weight_;
    time += __builtin_mul_overflow(rest, Int128{weight_}, &product)
                ? (rest + speed_) / (speed_ + 1)  // or a little later: then it is asked again
                : (product + whole - 1) / whole;
  }
  return time < most ? since_ + Duration(static_cast<std::int64_t>(time)) : kForever;
}

}  // namespace loom
