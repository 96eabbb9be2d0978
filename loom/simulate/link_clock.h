// A link's own time, for the flows whose bottleneck it is.
//
// As in fair queueing (Demers, Keshav and Shenker, SIGCOMM 1989) the clock counts what a flow of
// weight one has got since the beginning. A flow is over when the clock reaches its mark. When the
// level changes only the clock goes faster or slower; marks and their order stay.
//
// The clock goes as fast as the level's error allows and rounds up, so a mark is reached in the
// first picosecond in which, for all that is known, nothing may be left.
#pragma once

#include <cstdint>

#include "loom/base/units.h"
#include "loom/transport/level.h"

namespace loom {

// One line of the cache: at every event the clocks of many links are set.
class alignas(64) LinkClock {
 public:
  static constexpr Int128 kNoMark = Int128{1} << 126;  // above any reading

  Int128 reading() const { return reading_; }  // quanta · picoseconds
  bool runs() const { return first_ != kNoMark && (speed_ > 0 || rest_ > 0); }

  void advance(Duration now);
  void set_level(const Level& level);  // from the last advance() on
  void coarsen(int bits);

  void set_first(Int128 mark) { first_ = mark; }
  bool due() const { return first_ <= reading_; }
  // When the first mark is reached; kForever if there is none, or not while clocks go.
  Duration next_end() const;
  // The same, or something earlier where that is cheaper to find.
  struct End {
    Duration at;
    bool exact;
  };
  End next_end_at_soonest() const;

 private:
  Int128 reading_ = 0;
  Int128 first_ = kNoMark;
  Duration since_{0};
  // Quanta by picosecond: speed + rest / weight.
  std::int64_t speed_ = 0;
  std::int64_t rest_ = 0;
  std::int64_t weight_ = 1;
};

}  // namespace loom
