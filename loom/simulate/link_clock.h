// Virtual clock of a link, for the flows whose bottleneck is this link.
//
// As in fair queueing (Demers, Keshav and Shenker, SIGCOMM 1989), the clock counts the service that
// a flow of weight one has received since the beginning. A flow ends when the clock reaches the
// mark of the flow. When the level (the rate of a flow of weight one) changes, only the speed of
// the clock changes; the marks and their order stay.
//
// The level is known up to a small error. The clock runs at its upper bound and rounds up, so that
// it reaches a mark in the first picosecond in which nothing may be left of the flow.
#pragma once

#include <cstdint>
#include <limits>

#include "loom/base/units.h"
#include "loom/transport/level.h"

namespace loom::simulate {

// One cache line: every event sets the clocks of many links.
class alignas(64) LinkClock {
 public:
  static constexpr Int128 kNoMark = Int128{1} << 126;  // above any reading
  static constexpr std::int64_t kNoSpeed = -1;         // below any

  Int128 reading() const { return reading_; }  // quanta · picoseconds
  bool runs() const { return first_ != kNoMark && (speed_ > 0 || rest_ > 0); }

  void advance(TimePoint now);
  void set_level(const transport::Level& level);  // from the last advance() on
  void coarsen(int bits);

  void set_first(const Int128& mark) { first_ = mark; }
  bool due() const { return first_ <= reading_; }
  // Time at which the first mark is reached; kForever if there is none or if the time is beyond the
  // range of the picosecond clock.
  TimePoint next_end() const;
  std::int64_t speed() const { return speed_; }
  // A lower bound of next_end(), cheaper to compute; valid while the speed of the clock is at most
  // `fastest`.
  struct Bound {
    TimePoint at;
    std::int64_t fastest;
  };
  Bound next_end_at_soonest() const;

 private:
  static constexpr std::int64_t kFewFlows = 1 << 24;
  void reduce();

  Int128 reading_ = 0;
  Int128 first_ = kNoMark;
  TimePoint since_;
  // Speed of the clock in quanta per picosecond: speed_ + rest_ / weight_.
  std::int64_t speed_ = 0;
  std::int64_t rest_ = 0;
  std::int64_t weight_ = 1;
};

inline void LinkClock::advance(TimePoint now) {
  const std::int64_t span = (now - since_).count();
  since_ = now;
  reading_ += Int128{speed_} * span;
  if (rest_ == 0 || span == 0) return;
  constexpr Int128 kSmall = std::numeric_limits<std::int64_t>::max();
  const Int128 rest = Int128{rest_} * span + weight_ - 1;
  reading_ += rest <= kSmall ? static_cast<std::int64_t>(rest) / weight_ : rest / weight_;
}

inline void LinkClock::set_level(const transport::Level& level) {
  speed_ = level.exists() ? level.floor + level.error : 0;
  rest_ = level.exists() ? level.rest : 0;
  weight_ = level.weight;
  if (weight_ > kFewFlows) reduce();
}

// The bound also holds for slightly higher speeds, because levels change little from one event to
// the next. Returns the exact end if that costs no more, or if the end is too far away for this
// arithmetic.
inline LinkClock::Bound LinkClock::next_end_at_soonest() const {
  constexpr double kRoundedDown = 1 - 0x1p-48;
  constexpr double kFarAway = 0x1p62;
  const Int128 left = first_ - reading_;
  if (rest_ == 0 || left <= 0 || left >> 95 != 0) return {next_end(), kNoSpeed};
  const std::int64_t fastest = speed_ + speed_ / 16;
  const double high = static_cast<double>(static_cast<std::int64_t>(left >> 32)) * 0x1p32;
  // The rest, rounded up by advance(), is at most one quantum per picosecond.
  const double time = high / (static_cast<double>(fastest) + 1) * kRoundedDown;
  if (!(time < kFarAway)) return {next_end(), kNoSpeed};
  const auto span = Duration(static_cast<std::int64_t>(time));
  return {span < kNever - since_ ? since_ + span : kNever, fastest};
}

}  // namespace loom::simulate
