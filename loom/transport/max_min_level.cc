// Finds the level of one link from the levels of the bottlenecks of its flows.
//
// A flow whose bottleneck is a closed link of lower level takes its charge. The other flows share
// the remaining capacity by weight, including those whose bottleneck has the same or a higher
// level. Usually all these bottlenecks have a lower level, and one sum over the members is enough.
#include <algorithm>
#include <span>

#include "loom/transport/max_min.h"

namespace loom::transport {
namespace {

constexpr std::int64_t kNoKey = -1;  // below the key of any level

}  // namespace

Int128 MaxMin::room_of(const LinkHere& it) {
  return it.odd > 0 ? Int128{it.capacity} * fabric::kWhole : Int128{it.capacity};
}

std::int64_t MaxMin::free_weight(const LinkHere& it) {
  return it.odd > 0 ? it.weight : static_cast<std::int64_t>(it.owners.size());
}

// Finds the level if subtracting the charges of all fixed flows gives `min_level`, although some of
// these flows are not below `min_level`. Without their charges the level is higher, but usually
// still not above the levels of these flows.
Level MaxMin::find_level_above(const LinkHere& it, std::int64_t min_level) {
  const auto others = std::span(it.owners).subspan(static_cast<std::size_t>(it.owned));
  const LowerCharges lower = lower_charges(charges_, others, min_level);
  loose_ = static_cast<int>(static_cast<std::int64_t>(it.owners.size()) - lower.sum.count());
  const Level level = level_of_few(it.capacity - lower.sum.amount, loose_, lower.sum.error());
  const std::int64_t bound = 2 * lower.bound - 1;  // lowest key with this charge
  const bool between = level.charge() > lower.highest && level.key() <= bound;
  return between ? level : find_level_with_ties(it, bound);
}

// Finds the level if weights differ. Charges of open links are zero, so all groups are added
// without a branch; usually all of them are below the level of this link.
Level MaxMin::find_level_of_groups(const LinkHere& it) {
  Int128 taken = 0;
  Int128 error = 0;
  std::int64_t weight = 0;
  std::int64_t highest = 0;
  int count = 0;
  for (const Group& group : it.groups) {
    const Charge& charge = charges_[static_cast<std::size_t>(group.owner)];
    const std::int64_t closed = -(charge.tally & 1);  // all bits, or none
    taken += Int128{charge.amount} * group.weight;
    error += Int128{charge.error()} * group.weight;
    weight += group.weight & closed;
    count += group.count & static_cast<int>(closed);
    highest = std::max(highest, charge.amount);
  }
  loose_ = static_cast<int>(it.owners.size()) - count;
  const Int128 room = room_of(it) - taken;
  if (room < 0 || (room == 0 && loose_ == 0)) return find_level_with_ties(it, Level::kNone);
  const Level level = level_of(room, it.weight - weight, error);
  return level.charge() > highest ? level : find_level_with_ties(it, Level::kNone);
}

// Finds the level if some flows fixed elsewhere may not have a lower level; only the lower ones are
// subtracted. Adjusts `bound`, the key below which flows are subtracted, until it fits the result.
// Usually all flows that are not lower have the same level as this link.
Level MaxMin::find_level_with_ties(const LinkHere& it, std::int64_t bound) {
  for (int pass = 0; pass < 5; ++pass) {
    const Below below = fixed_below(it, bound);
    const Level level = level_of(below.room, below.weight, below.error);
    loose_ = below.loose;
    const bool all = bound == Level::kNone;
    if (all && !level.exists() && below.room == 0) return find_level_of_full(it, below.highest);
    if (below.highest < level.key() && level.key() <= bound) return level;
    bound = level.key() <= bound ? below.highest : Level::kNone;
  }
  return find_level_by_sorting(it);
}

// Finds the level of a link that flows fixed elsewhere fill completely. If the highest of these
// flows have exactly the level that the link would have without them, that is its level; else it
// has none.
Level MaxMin::find_level_of_full(const LinkHere& it, std::int64_t highest) {
  const Below below = fixed_below(it, highest);
  const Level level = level_of(below.room, below.weight, below.error);
  if (level.key() != highest) return {};
  loose_ = below.loose;
  return level;
}

MaxMin::Below MaxMin::fixed_below(const LinkHere& it, std::int64_t bound) const {
  Below below{room_of(it), free_weight(it), 0, kNoKey, static_cast<int>(it.owners.size())};
  if (it.odd > 0) {
    for (const Group& group : it.groups) {
      const auto owner = static_cast<std::size_t>(group.owner);
      const std::int64_t key = keys_[owner];
      if (key >= bound) continue;  // open links are always above
      below.highest = std::max(below.highest, key);
      below.loose -= group.count;
      below.weight -= group.weight;
      below.room -= Int128{charges_[owner].amount} * group.weight;
      below.error += Int128{charges_[owner].error()} * group.weight;
    }
    return below;
  }
  for (auto i = static_cast<std::size_t>(it.owned); i < it.owners.size(); ++i) {
    const auto owner = it.owners[i].index();
    const std::int64_t key = keys_[owner];
    if (key >= bound) continue;
    below.highest = std::max(below.highest, key);
    --below.loose;
    below.room -= charges_[owner].amount;
    below.error += charges_[owner].error();
  }
  below.weight = below.loose;
  return below;
}

// Finds the level of the link by binary search over the sorted levels of the bottlenecks of its
// flows. Used if many of these are at or above the level of the link, as after a large drop in its
// capacity.
Level MaxMin::find_level_by_sorting(const LinkHere& it) {
  levels_.clear();
  for (auto i = static_cast<std::size_t>(it.owned); i < it.owners.size(); ++i) {
    const std::int64_t key = keys_[it.owners[i].index()];
    if (key != kOpen) levels_.push_back(key);
  }
  std::sort(levels_.begin(), levels_.end());
  levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
  // Finds the lowest bound for which the resulting level is not above the bound.
  const auto too_low = [&](std::int64_t bound) {
    const Below below = fixed_below(it, bound);
    return level_of(below.room, below.weight, below.error).key() > bound;
  };
  const auto bound = std::partition_point(levels_.begin(), levels_.end(), too_low);
  const Below below = fixed_below(it, bound == levels_.end() ? Level::kNone : *bound);
  loose_ = below.loose;
  return level_of(below.room, below.weight, below.error);
}

}  // namespace loom::transport
