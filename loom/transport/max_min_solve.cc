// Bringing the levels up to date: which links are opened, in which order they close.
//
// A link is open while its level is not known. An open link's flows count as not yet fixed, so the
// level found for another link while it is open is no higher than the right one. Taking the lowest
// first is therefore mostly final; where it is not, because a guessed order was wrong, the links
// that differ meet again on the flows they share, and the higher one is opened once more.
#include <algorithm>
#include <tuple>
#include <utility>

#include "loom/base/error.h"
#include "loom/transport/max_min.h"

namespace loom {
namespace {

constexpr int kFew = 32;                // links
constexpr std::size_t kHandful = 4;     // flows
constexpr std::int64_t kPatience = 16;  // visits of a link

}  // namespace

void MaxMin::solve() {
  ++round_;
  changed_.clear();
  moved_.clear();
  opened_.clear();
  queue_.clear();
  all_open_ = false;
  ceiling_ = 0;
  open_touched();
  if (wide_ && !all_open_ && !queue_.empty()) open_all_above();
  const std::int64_t patience = kPatience * (busy_ + kPatience);
  std::int64_t visits = 0;
  while (!queue_.empty()) {
    const LevelQueue::Entry next = queue_.pop();
    const LinkHere& it = link(next.link);
    if (!it.open || it.guess != next.key) continue;
    visit(next.link);
    ++visits;
    if (visits == patience) start_over();
    LOOM_CHECK(visits < 64 * patience * (busy_ + 1), "filling comes to an end");
  }
  wide_ = all_open_ && 4 * changed_.size() > opened_.size();
}

// No higher than the level to be found while the links that were touched are open.
std::int64_t MaxMin::first_guess(int id) {
  const LinkHere& it = link(id);
  if (it.owners.empty()) return Level::kNone;
  if (it.owners.size() > kHandful || it.odd > 0) return find_level(id).key();
  return 2 * (it.capacity / static_cast<std::int64_t>(it.owners.size()));
}

// All are opened before any level is looked for: none is then too high.
void MaxMin::open_touched() {
  int busy = 0;
  std::erase_if(touched_, [&](int id) {
    link(id).touched = false;
    busy += link(id).owners.empty() ? 0 : 1;
    return link(id).opened_in == round_ || close_lone(id);
  });
  for (const int id : touched_) open(id);
  entries_.clear();
  lowest_ = Level::kNone;
  for (const int id : touched_) {
    LinkHere& it = link(id);
    it.guess = first_guess(id);
    lowest_ = std::min({lowest_, it.guess, it.owned > 0 ? it.level.key() : Level::kNone});
    entries_.push_back({it.guess, id});
  }
  begun_ = static_cast<int>(opened_.size());
  touched_.clear();
  queue_.push_all(entries_);
  all_open_ = busy == busy_;
}

// A flow that has all the links of its way to itself gets the narrowest of them. So it is in rings
// and pipelines at nearly every event. Whether this link is such a flow's, or empty: then it keeps
// its level, which is likely to be wanted again.
bool MaxMin::close_lone(int id) {
  const LinkHere& it = link(id);
  if (it.owners.empty()) {
    note_opened(id);
    return true;
  }
  const Flow& lone = flow(it.members.front().flow);
  int narrowest = id;
  for (const HopHere& hop : hops(lone)) {
    const LinkHere& here = link(hop.link);
    if (here.owners.size() > 1 || here.odd > 0) return false;
    const std::int64_t least = link(narrowest).capacity;
    if (std::tie(here.capacity, hop.link) < std::tie(least, narrowest)) narrowest = hop.link;
  }
  note_opened(id);
  for (const HopHere& hop : hops(lone)) {
    note_opened(hop.link);
    close_at(hop.link,
             hop.link == narrowest ? level_of_few(link(narrowest).capacity, 1, 0) : Level{});
  }
  const int only = it.members.front().flow;
  if (sharer(only).owner != narrowest) give(only, narrowest);
  return true;
}

void MaxMin::open(int id) {
  LinkHere& it = link(id);
  ++openings_;
  it.open = true;
  it.spread = false;
  it.late = all_open_;
  charges_[static_cast<std::size_t>(id)] = {};
  keys_[static_cast<std::size_t>(id)] = kOpen;
  note_opened(id);
}

inline void MaxMin::note_opened(int id) {
  if (link(id).opened_in == round_) return;
  link(id).opened_in = round_;
  opened_.push_back(id);
}

// Its level may have to change; it is no longer to be relied on.
inline void MaxMin::reopen(int id) {
  if (keys_[static_cast<std::size_t>(id)] != kOpen) reopen_closed(id);
}

void MaxMin::reopen_closed(int id) {
  open(id);
  link(id).guess = link(id).level.key();
  queue_.push(link(id).guess, id);
}

// Where much of the network changes, all of it above the lowest change is opened at once, and the
// search for those that share a flow is over. Mostly that is so again the next time.
void MaxMin::open_all_above() {
  entries_.clear();
  sort_by_level();
  const LevelQueue::Entry lowest{lowest_, 0};
  for (auto entry = std::lower_bound(by_level_.begin(), by_level_.end(), lowest);
       entry != by_level_.end(); ++entry) {
    LinkHere& it = link(entry->link);
    if (it.open) continue;
    open(entry->link);
    it.guess = entry->key;
    entries_.push_back(*entry);
  }
  queue_.push_all(entries_);
  ceiling_ = std::max(ceiling_, lowest_ / 2 + 1);  // as high as those left closed can be
  all_open_ = true;
}

// Where a link that is open was when it was closed.
inline std::int64_t MaxMin::last_key(int id) const {
  const std::int64_t key = keys_[static_cast<std::size_t>(id)];
  return key != kOpen ? key : level(id).key();
}

// All links in use are listed, and where there are more, some are empty by now.
void MaxMin::drop_unused() {
  if (by_level_.size() == static_cast<std::size_t>(busy_)) return;
  std::erase_if(by_level_, [this](const LevelQueue::Entry& entry) {
    link(entry.link).listed = !link(entry.link).owners.empty();
    return !link(entry.link).listed;
  });
}

// From one time to the next the order changes little.
void MaxMin::sort_by_level() {
  drop_unused();
  std::size_t moves = 0;
  for (std::size_t i = 0; i < by_level_.size(); ++i) {
    LevelQueue::Entry entry = by_level_[i];
    entry.key = last_key(entry.link);
    std::size_t at = i;
    for (; at > 0 && entry < by_level_[at - 1]; --at) by_level_[at] = by_level_[at - 1];
    by_level_[at] = entry;
    moves += i - at;
    if (moves > 16 * by_level_.size()) return sort_by_level_anew();
  }
}

void MaxMin::sort_by_level_anew() {
  for (LevelQueue::Entry& entry : by_level_) entry.key = last_key(entry.link);
  std::sort(by_level_.begin(), by_level_.end());
}

// Plain filling from nothing: every guess is too low at first, so no link closes too early.
void MaxMin::start_over() {
  queue_.clear();
  entries_.clear();
  all_open_ = false;
  sort_by_level();
  for (const LevelQueue::Entry& entry : by_level_) {
    LinkHere& it = link(entry.link);
    open(entry.link);
    it.guess = level_of(room_of(it), free_weight(it), 0).key();
    entries_.push_back({it.guess, entry.link});
  }
  queue_.push_all(entries_);
  all_open_ = true;
}

void MaxMin::visit(int id) {
  LinkHere& it = link(id);
  Level level = find_level(id);
  if (!it.spread && level != it.level && spread(id)) level = find_level(id);
  const std::int64_t key = level.key();
  const bool others_first = level.exists() && key > it.guess && key > queue_.lowest_key();
  if (others_first) {
    it.guess = key;
    return queue_.push(key, id);
  }
  close(id, level);
}

// Opens the links above that share a flow of this one's; whether there were any.
bool MaxMin::spread(int id) {
  LinkHere& it = link(id);
  it.spread = true;
  if (all_open_ && !it.late) return false;
  const bool much = it.owned > kFew && 4 * it.owned > busy_;
  const std::int64_t before = openings_;
  for (std::size_t i = 0; i < static_cast<std::size_t>(it.owned) && (all_open_ || !much); ++i) {
    reopen_others(it.members[i]);
  }
  const int reached = static_cast<int>(opened_.size()) - begun_;
  if (!all_open_ && (much || (reached > kFew && 8 * reached > busy_))) open_all_above();
  return openings_ > before;
}

// The other links of a member's way.
inline void MaxMin::reopen_others(const Member& member) {
  if (member.other >= 0) return reopen(member.other);
  for (const HopHere& hop : hops(flow(member.flow))) reopen(hop.link);
}

void MaxMin::close(int id, const Level& level) {
  close_at(id, level);
  if (!level.exists()) return;
  ceiling_ = std::max(ceiling_, level.charge());
  if (link(id).owned != loose_) take_flows(id);
}

void MaxMin::close_at(int id, const Level& level) {
  LinkHere& it = link(id);
  it.open = false;
  if (it.level != level) {
    it.level = level;
    changed_.push_back(id);
  }
  keys_[static_cast<std::size_t>(id)] = level.key();
  Charge& charge = charges_[static_cast<std::size_t>(id)];
  charge = {};
  if (level.exists()) charge = {level.charge(), (level.error_of_charge() << Charge::kErrorBit) + 1};
}

// The flows that have no lower level elsewhere are its own from now on.
void MaxMin::take_flows(int id) {
  LinkHere& it = link(id);
  const std::int64_t key = it.level.key();
  for (auto i = static_cast<std::size_t>(it.owned); i < it.owners.size(); ++i) {
    const int owner = it.owners[i];
    const std::int64_t theirs = keys_[static_cast<std::size_t>(owner)];
    if (theirs < key || (theirs == key && !precedes(id, owner))) continue;
    const Member taken = it.members[i];
    give(taken, id);
    const auto reopen_other = [&](int other) {
      const bool same = keys_[static_cast<std::size_t>(other)] == key;
      // One of the same level has counted a flow that was nobody's, or its own, just as it is.
      if (!same || (owner != nobody() && other != owner && other != id)) reopen(other);
    };
    if (taken.other >= 0) {
      reopen_other(taken.other);
    } else {
      for (const HopHere& hop : hops(flow(taken.flow))) reopen_other(hop.link);
    }
  }
}

// Of links with the same key, whose flows those of both are.
bool MaxMin::precedes(int a, int b) const {
  const Level& mine = level(a);
  const Level& theirs = level(b);
  if (mine.below(theirs) || theirs.below(mine)) return mine.below(theirs);
  return mine.error != theirs.error ? mine.error < theirs.error : a < b;
}

void MaxMin::give(int id, int owner) {
  const int before = std::exchange(sharer(id).owner, owner);
  const Flow& given = flow(id);
  for (std::uint32_t hop = given.first_hop; hop < given.first_hop + given.hop_count; ++hop) {
    set_owner(hops_[hop].link, hop, before, owner);
  }
  moved_.push_back(id);
}

// A member of the one that gets it.
void MaxMin::give(const Member& member, int owner) {
  if (member.other < 0) return give(member.flow, owner);
  const int before = std::exchange(sharer(member.flow).owner, owner);
  set_owner(owner, member.hop, before, owner);
  set_owner(member.other, member.hop ^ 1, before, owner);
  moved_.push_back(member.flow);
}

}  // namespace loom
