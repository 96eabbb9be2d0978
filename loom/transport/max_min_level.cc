// The level of one link, from the levels of those that its flows belong to.
//
// Its flows that belong to closed links of lower level take what they are charged; what is left is
// for the others, each by its weight. Flows of the same level or a higher one count among the
// others. Mostly there are none of those, and one sum over the members is all it takes.
#include <algorithm>
#include <span>

#include "loom/transport/max_min.h"

namespace loom {
namespace {

constexpr std::int64_t kNoKey = -1;  // below that of any link that has a level

}  // namespace

Int128 MaxMin::room_of(const LinkHere& it) {
  return it.odd > 0 ? Int128{it.capacity} * kWhole : Int128{it.capacity};
}

std::int64_t MaxMin::free_weight(const LinkHere& it) {
  return it.odd > 0 ? it.weight : static_cast<std::int64_t>(it.owners.size());
}

// Where the level comes out as `least` with all fixed flows, and some of them are no lower than
// that. Without those it is higher, and mostly still no higher than they are.
Level MaxMin::find_level_above(const LinkHere& it, std::int64_t min_level) {
  const auto others = std::span(it.owners).subspan(static_cast<std::size_t>(it.owned));
  const LowerCharges lower = lower_charges(charges_, others, min_level);
  loose_ = static_cast<int>(static_cast<std::int64_t>(it.owners.size()) - lower.sum.count());
  const Level level = level_of_few(it.capacity - lower.sum.amount, loose_, lower.sum.error());
  const std::int64_t bound = 2 * lower.bound - 1;  // the lowest key of that charge
  const bool between = level.charge() > lower.highest && level.key() <= bound;
  return between ? level : find_level_with_ties(it, bound);
}

// Flows fixed elsewhere count only if their level is lower. Mostly it is one level of them that is
// not, that of this link itself.
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

// A link that others fill, those of the highest level perhaps just as it would itself.
Level MaxMin::find_level_of_full(const LinkHere& it, std::int64_t highest) {
  const Below below = fixed_below(it, highest);
  const Level level = level_of(below.room, below.weight, below.error);
  if (level.key() != highest) return {};
  loose_ = below.loose;
  return level;
}

MaxMin::Below MaxMin::fixed_below(const LinkHere& it, std::int64_t bound) const {
  Below below{room_of(it), free_weight(it), 0, kNoKey, static_cast<int>(it.owners.size())};
  for (auto i = static_cast<std::size_t>(it.owned); i < it.owners.size(); ++i) {
    const auto owner = it.owners[i].index();
    const std::int64_t key = keys_[owner];
    if (key >= bound) continue;  // as those of open links are
    const Charge& charge = charges_[owner];
    below.highest = std::max(below.highest, key);
    --below.loose;
    if (it.odd == 0) {
      below.room -= charge.amount;
      below.error += charge.error();
      continue;
    }
    const std::int64_t part = it.weights[i];
    below.room -= Int128{charge.amount} * part;
    below.error += Int128{charge.error()} * part;
    below.weight -= part;
  }
  if (it.odd == 0) below.weight = below.loose;
  return below;
}

// Where many levels are not lower, as on a link that has become much narrower.
Level MaxMin::find_level_by_sorting(const LinkHere& it) {
  levels_.clear();
  for (auto i = static_cast<std::size_t>(it.owned); i < it.owners.size(); ++i) {
    const std::int64_t key = keys_[it.owners[i].index()];
    if (key != kOpen) levels_.push_back(key);
  }
  std::sort(levels_.begin(), levels_.end());
  levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
  // The lowest bound that leaves out nothing below the level it gives.
  const auto too_low = [&](std::int64_t bound) {
    const Below below = fixed_below(it, bound);
    return level_of(below.room, below.weight, below.error).key() > bound;
  };
  const auto bound = std::partition_point(levels_.begin(), levels_.end(), too_low);
  const Below below = fixed_below(it, bound == levels_.end() ? Level::kNone : *bound);
  loose_ = below.loose;
  return level_of(below.room, below.weight, below.error);
}

}  // namespace loom
