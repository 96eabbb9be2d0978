// How high a link is filled when it is full: what each of its own flows gets, by unit of weight.
//
// A level is the fraction floor + rest / weight, exact for what the flows fixed at lower levels
// leave. Those are charged with their level rounded up to a whole quantum, so what is left is
// never more than there is, and a link's sum of charges is a whole number that is the same in
// whatever order it is added up. `error` bounds, in quanta, how far the level may lie from that of
// a sharing without rounding.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "loom/base/units.h"

namespace loom {

struct Level {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max() - 1;
  static constexpr std::int64_t kHighest = std::int64_t{1} << 61;
  static constexpr std::int64_t kMaxError = (std::int64_t{1} << 15) - 2;

  std::int64_t floor = kNone;  // kNone: the link is nobody's bottleneck
  std::int64_t rest = 0;
  std::int64_t weight = 1;
  std::int64_t error = 0;

  bool operator==(const Level&) const = default;
  bool exists() const { return floor != kNone; }

  // What a flow of this level takes from the other links of its way, by unit of weight.
  std::int64_t charge() const { return floor + (rest > 0 ? 1 : 0); }
  std::int64_t error_of_charge() const { return error + (rest > 0 ? 1 : 0); }

  // The order in which levels are fixed: a whole number of quanta, or strictly between two. Links
  // of the same key are fixed together, none sees the others' roundings.
  std::int64_t key() const { return exists() ? 2 * floor + (rest > 0 ? 1 : 0) : kNone; }

  // For levels of the same key.
  bool below(const Level& other) const {
    return Int128{rest} * other.weight < Int128{other.rest} * weight;
  }
};

// What `room` gives to each unit of `weight`; a level below zero where there is too little room
// for those already fixed. Where 64 bits are enough: room for the highest level at most.
inline Level level_of_few(std::int64_t room, std::int64_t weight, std::int64_t error) {
  if (room < 0) return {.floor = -1, .rest = 0, .weight = 1, .error = 0};
  if (weight == 0) return {};
  const std::int64_t each = error == 0 ? 0 : (error + weight - 1) / weight;
  return {room / weight, room % weight, weight, std::min(each, Level::kMaxError)};
}

// The same for any room and error.
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

}  // namespace loom
