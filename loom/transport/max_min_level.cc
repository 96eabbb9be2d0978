// The level of one link, from the levels of those that its flows belong to.
//
// Its flows that belong to closed links of lower level take what they are charged; what is left is
// for the others, each by its weight. Flows of the same level or a higher one count among the
// others. Mostly there are none of those, and one sum over the members is all it takes.
#include <algorithm>
#include <span>
#include <utility>

#include "loom/transport/max_min.h"

namespace loom {
namespace {

constexpr std::int64_t kNoKey = -1;  // below that of any link that has a level

// Whether so many charges, none above the highest, can be added up in 64 bits.
bool add_up(std::int64_t highest, std::int64_t count) {
  constexpr Int128 kMost = Int128{1} << 62;
  return Int128{highest} * count <= kMost;
}

}  // namespace

Int128 MaxMin::room_of(const LinkHere& it) {
  return it.odd > 0 ? Int128{it.capacity} * kWhole : Int128{it.capacity};
}

std::int64_t MaxMin::free_weight(const LinkHere& it) {
  return it.odd > 0 ? it.weight : static_cast<std::int64_t>(it.owners.size());
}

Level MaxMin::find_level(int id) {
  const LinkHere& it = link(id);
  Level level;
  if (it.odd == 0 && find_level_fast(it, level)) return level;
  return find_level_with_ties(it);
}

// For flows that all count for one, where those fixed elsewhere have lower levels. False if it is
// not so, or the sums may not fit their 64 bits.
inline bool MaxMin::find_level_fast(const LinkHere& it, Level& level) {
  const auto count = static_cast<std::int64_t>(it.owners.size());
  const auto owned = static_cast<std::size_t>(it.owned);
  const Charge sum = sum_of_charges(charges_, it.owners, owned);
  loose_ = static_cast<int>(count - sum.count());
  if (sum.count() == 0) {
    level = level_of_few(it.capacity, count, 0);
    return true;
  }
  if (count >= (1 << 16)) return false;
  // Where all is open that may change, no closed link is above the ceiling.
  const auto others = std::span(it.owners).subspan(owned);
  const bool below_ceiling = all_open_ && add_up(ceiling_, count);
  std::int64_t highest = below_ceiling ? ceiling_ : highest_charge(charges_, others);
  if (!below_ceiling && !add_up(highest, count)) return false;
  const std::int64_t room = it.capacity - sum.amount;
  level = level_of_few(room, loose_, sum.error());
  if (room < 0 || !level.exists()) return room > 0;
  if (level.charge() <= highest && below_ceiling) highest = highest_charge(charges_, others);
  return level.charge() > highest || find_level_below(it, highest, level);
}

// The same where those of the highest charge have no lower level than the link, and the rest has.
bool MaxMin::find_level_below(const LinkHere& it, std::int64_t highest, Level& level) {
  const auto others = std::span(it.owners).subspan(static_cast<std::size_t>(it.owned));
  const LowerCharges lower = lower_charges(charges_, others, highest);
  loose_ = static_cast<int>(static_cast<std::int64_t>(it.owners.size()) - lower.sum.count());
  level = level_of_few(it.capacity - lower.sum.amount, loose_, lower.sum.error());
  tied_ = 2 * highest - 1;  // the lowest key of that charge
  if (level.charge() <= lower.highest || level.key() > tied_) return false;
  tied_ = Level::kNone;
  return true;
}

// Flows fixed elsewhere count only if their level is lower. Mostly it is one level of them that is
// not, that of this link itself.
Level MaxMin::find_level_with_ties(const LinkHere& it) {
  std::int64_t bound = std::exchange(tied_, Level::kNone);
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
    const auto owner = static_cast<std::size_t>(it.owners[i]);
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
    const std::int64_t key = keys_[static_cast<std::size_t>(it.owners[i])];
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
