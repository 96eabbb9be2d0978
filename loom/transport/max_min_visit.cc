// Processes the open links, lowest first: finds the level of a link, then closes the link or puts
// it back behind links with a lower level. Nearly all the time of a large solve is spent here, most
// of it in sum_of_charges().
#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "loom/base/error.h"
#include "loom/transport/max_min.h"

namespace loom::transport {
namespace {

constexpr std::size_t kHandful = 4;     // flows; for so few, first_guess() only divides
constexpr std::int64_t kPatience = 16;  // mean visits per link before start_over()

// Whether `count` charges of at most `highest` add up within 64 bits.
bool add_up(std::int64_t highest, std::int64_t count) {
  constexpr Int128 kMaxSum = Int128{1} << 62;
  return Int128{highest} * count <= kMaxSum;
}

}  // namespace

// Finds the level of a link. Usually all flows have weight one, and all flows with a bottleneck
// elsewhere have lower levels: then one 64-bit sum is enough.
[[gnu::always_inline]] inline Level MaxMin::find_level(const LinkHere& it) {
  const auto count = static_cast<std::int64_t>(it.owners.size());
  Level level;  // the only value returned, so it stays in registers
  if (it.odd > 0 || count >= (1 << 16)) {
    level = it.odd > 0 ? find_level_of_groups(it) : find_level_with_ties(it, Level::kNone);
    return level;
  }
  const auto owned = static_cast<std::size_t>(it.owned);
  const Charge sum = sum_of_charges(charges_, it.owners, owned);
  loose_ = static_cast<int>(count - sum.count());
  // If all links that may change are open, no closed link is above the ceiling.
  const std::int64_t room = it.capacity - sum.amount;
  if (all_open_ && add_up(ceiling_, count) && (room > 0 || (room == 0 && loose_ > 0))) {
    level = level_of_few(room, loose_, sum.error());
    if (level.charge() > ceiling_) return level;
  }
  level = find_level_of_ones(it, sum);
  return level;
}

// Like find_level(), for flows of weight one, if there is no ceiling or it is too high to decide.
Level MaxMin::find_level_of_ones(const LinkHere& it, const Charge& sum) {
  const auto count = static_cast<std::int64_t>(it.owners.size());
  if (sum.count() == 0) return level_of_few(it.capacity, count, 0);
  const auto others = std::span(it.owners).subspan(static_cast<std::size_t>(it.owned));
  const std::int64_t highest = highest_charge(charges_, others);
  const std::int64_t room = it.capacity - sum.amount;
  if (!add_up(highest, count) || room < 0 || (room == 0 && loose_ == 0)) {
    return find_level_with_ties(it, Level::kNone);
  }
  const Level level = level_of_few(room, loose_, sum.error());
  return level.charge() > highest ? level : find_level_above(it, level.charge());
}

// Guess for the key of a changed link; not too high as long as all changed links are open.
std::int64_t MaxMin::first_guess(LinkId id) {
  const LinkHere& it = link(id);
  if (it.owners.empty()) return Level::kNone;
  if (it.owners.size() > kHandful || it.odd > 0) return find_level(it).key();
  return 2 * (it.capacity / static_cast<std::int64_t>(it.owners.size()));
}

// Not inlined: it is rarely needed, and visit() would contain the code twice.
[[gnu::noinline]] Level MaxMin::find_level_again(const LinkHere& it) { return find_level(it); }

[[gnu::always_inline]] inline void MaxMin::visit(LinkId id) {
  LinkHere& it = link(id);
  Level level = find_level(it);
  const bool above_are_open = it.spread || (all_open_ && !it.late);
  if (level != it.level && !above_are_open && spread(id)) level = find_level_again(it);
  const std::int64_t key = level.key();
  const bool others_first = level.exists() && key > it.guess && key > queue_.lowest_key();
  if (others_first) {
    it.guess = key;
    return queue_.push(key, id);
  }
  close(id, level);
}

[[gnu::always_inline]] inline void MaxMin::close(LinkId id, const Level& level) {
  close_at(id, level);
  if (!level.exists()) return;
  ceiling_ = std::max(ceiling_, level.charge());
  if (link(id).owned != loose_) take_flows(id);
}

[[gnu::always_inline]] inline void MaxMin::close_at(LinkId id, const Level& level) {
  LinkHere& it = link(id);
  it.open = false;
  if (it.level != level) {
    it.level = level;
    changed_.push_back(id);
  }
  keys_[static_cast<std::size_t>(id)] = level.key();
  const std::int64_t error = level.error_of_charge() << Charge::kErrorBit;
  set_charge(charges_[static_cast<std::size_t>(id)],
             level.exists() ? Charge{level.charge(), error + 1} : Charge{});
}

// Visits open links, lowest first, until none is open.
void MaxMin::close_open_links() {
  const std::int64_t patience = kPatience * (busy_ + kPatience);
  const std::int64_t max_visits = 64 * patience * (busy_ + 1);
  std::int64_t visits = 0;
  while (!queue_.empty()) {
    const LevelQueue::Entry next = queue_.pop();
    const LinkHere& it = link(next.link);
    if (!it.open || it.guess != next.key) continue;
    if (queue_.following() != nullptr) fetch_owners(queue_.following()->link);
    visit(next.link);
    ++visits;
    if (visits == patience) start_over();
    LOOM_CHECK(visits < max_visits, "filling terminates");
  }
}

// Makes the link the bottleneck of all its flows that have no lower level elsewhere.
void MaxMin::take_flows(LinkId id) {
  LinkHere& it = link(id);
  const std::int64_t key = it.level.key();
  const std::span<const Owner> owners(it.owners);
  const std::span<const std::int64_t> keys(keys_);
  int others = loose_ - it.owned;  // still to be found
  for (auto i = static_cast<std::size_t>(it.owned); i < owners.size() && others > 0; ++i) {
    const LinkId owner = owners[i].link();
    const std::int64_t theirs = keys[static_cast<std::size_t>(owner)];
    if (theirs < key) continue;
    --others;
    if (theirs == key && !precedes(id, owner)) continue;
    const Member taken = it.members[i];
    give(taken, id);
    const auto reopen_other = [&](LinkId other) {
      const bool same = keys_[static_cast<std::size_t>(other)] == key;
      // A lower link that opens again releases its flows; any of them may now be taken.
      if (keys_[static_cast<std::size_t>(other)] < key) others = std::numeric_limits<int>::max();
      // A link of the same level keeps its level if the flow had no bottleneck or that link as its
      // bottleneck.
      if (!same || (owner != nobody() && other != owner && other != id)) reopen(other);
    };
    if (taken.other >= 0) {
      reopen_other(taken.other);
    } else {
      for (const HopHere& hop : hops(flow(taken.flow))) reopen_other(hop.link);
    }
  }
}

// Whether link a, not link b with the same key, becomes the bottleneck of the flows on both.
bool MaxMin::precedes(LinkId a, LinkId b) const {
  const Level& mine = level(a);
  const Level& theirs = level(b);
  if (mine.below(theirs) || theirs.below(mine)) return mine.below(theirs);
  return mine.error != theirs.error ? mine.error < theirs.error : a < b;
}

void MaxMin::give(FlowId id, LinkId owner) {
  const LinkId before = std::exchange(sharer(id).owner, owner);
  const Flow& given = flow(id);
  for (std::uint32_t hop = given.first_hop; hop < given.first_hop + given.hop_count; ++hop) {
    set_owner(hops_[hop].link, hop, before, owner);
  }
  moved_.push_back(id);
}

// Makes link `owner` the bottleneck of one of its members.
void MaxMin::give(const Member& member, LinkId owner) {
  if (member.other < 0) return give(member.flow, owner);
  const LinkId before = std::exchange(sharer(member.flow).owner, owner);
  set_owner(owner, member.hop, before, owner);
  set_owner(member.other, member.hop ^ 1, before, owner);
  moved_.push_back(member.flow);
}

// Shortcut for a flow that shares no link of its path with another flow: it gets the full bandwidth
// of its bottleneck. In rings and pipelines this is so at nearly every event. Returns true if this
// link carries only such a flow, or none. A link without flows keeps its level, which is likely to
// be needed again.
bool MaxMin::close_uncontended(LinkId id) {
  const LinkHere& it = link(id);
  if (it.owners.size() > 1) return false;
  if (it.owners.empty()) {
    note_opened(id);
    return true;
  }
  const Flow& uncontended = flow(it.members.front().flow);
  LinkId bottleneck = id;
  for (const HopHere& hop : hops(uncontended)) {
    const LinkHere& here = link(hop.link);
    if (here.owners.size() > 1 || here.odd > 0) return false;
    const std::int64_t min_capacity = link(bottleneck).capacity;
    if (std::tie(here.capacity, hop.link) < std::tie(min_capacity, bottleneck))
      bottleneck = hop.link;
  }
  note_opened(id);
  for (const HopHere& hop : hops(uncontended)) {
    note_opened(hop.link);
    close_at(hop.link,
             hop.link == bottleneck ? level_of_few(link(bottleneck).capacity, 1, 0) : Level{});
  }
  const FlowId only = it.members.front().flow;
  if (sharer(only).owner != bottleneck) give(only, bottleneck);
  return true;
}

}  // namespace loom::transport
