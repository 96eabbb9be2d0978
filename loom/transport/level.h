// Level of a link: the rate, per unit of weight, of the flows that have their bottleneck there.
//
// A level is the exact fraction floor + rest / weight, in quanta: the capacity left by the flows
// with lower levels, divided by the total weight of the other flows. Each flow with a lower level
// is charged its level rounded up to an integer number of quanta. So the remaining capacity is
// never overestimated, and the sum of the charges does not depend on the order of addition. `error`
// bounds, in quanta, the difference from the level without rounding.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "loom/base/units.h"

namespace loom::transport {

struct Level {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max() - 1;
  static constexpr std::int64_t kHighest = std::int64_t{1} << 61;
  static constexpr std::int64_t kMaxError = (std::int64_t{1} << 15) - 2;

  std::int64_t floor = kNone;  // kNone: the link is no flow's bottleneck
  std::int64_t rest = 0;
  std::int64_t weight = 1;
  std::int64_t error = 0;

  bool operator==(const Level&) const = default;
  bool exists() const { return floor != kNone; }

  // Charge of a flow of this level on the other links of its path, per unit of weight.
  std::int64_t charge() const { return floor + (rest > 0 ? 1 : 0); }
  std::int64_t error_of_charge() const { return error + (rest > 0 ? 1 : 0); }

  // Sort key of a level: even for an integer number of quanta, odd for a level strictly between two
  // integers. Links with the same key are fixed together, so none of them uses a rounded level of
  // another.
  std::int64_t key() const { return exists() ? 2 * floor + (rest > 0 ? 1 : 0) : kNone; }

  // Compares levels of the same key.
  bool below(const Level& other) const {
    return Int128{rest} * other.weight < Int128{other.rest} * weight;
  }
};

// The level at which flows of total weight `weight` use up the remaining capacity `room`. It is
// negative if `room` is, which means that the flows already fixed exceed the capacity. Requires a
// room and an error up to kHighest, for which 64 bits are enough.
inline Level level_of_few(std::int64_t room, std::int64_t weight, std::int64_t error) {
  if (room < 0) return {.floor = -1, .rest = 0, .weight = 1, .error = 0};
  if (weight == 0) return {};
  const std::int64_t each = error == 0 ? 0 : (error + weight - 1) / weight;
  return {room / weight, room % weight, weight, std::min(each, Level::kMaxError)};
}

// Like level_of_few(), for any room and error.
inline Level level_of(Int128 room, std::int64_t weight, Int128 error) {
  if (room < 0) return level_of_few(-1, weight, 0);
  if (room <= Level::kHighest && error <= Level::kHighest) {
    return level_of_few(static_cast<std::int64_t>(room), weight, static_cast<std::int64_t>(error));
  }
  if (weight == 0) return {};
  Level level{.floor = Level::kHighest, .rest = 0, .weight = weight, .error = 0};
  if (room / weight < Level::kHighest) {
    level.floor = static_cast<std::int64_t>(room / weight);
    level.rest = static_cast<std::int64_t>(room % weight);
  }
  const Int128 each = (error + weight - 1) / weight;
  level.error = each < Level::kMaxError ? static_cast<std::int64_t>(each) : Level::kMaxError;
  return level;
}

}  // namespace loom::transport
