// Updates the levels: opens the links whose level may change, and closes them from the lowest up.
//
// A link is open while its level is unknown. Flows that have their bottleneck on an open link count
// as not yet fixed, so the level computed for another link is at most its final level. Closing the
// link with the lowest level is therefore usually final. If the guessed order of two links was
// wrong, they share a flow, and the link with the higher level is opened again.
#include <algorithm>

#include "loom/transport/max_min.h"

namespace loom::transport {
namespace {

constexpr int kFew = 32;  // links; a change that reaches no more of them is small

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
  if (mostly_changed_ && !all_open_ && !queue_.empty()) {
    queue_.clear();  // open_all_above() adds these links again
    open_all_above();
  }
  close_open_links();
  mostly_changed_ = all_open_ && 4 * changed_.size() > opened_.size();
}

// Opens all changed links before it computes the first guess, so that no guess is too high.
void MaxMin::open_touched() {
  int busy = 0;
  std::erase_if(touched_, [&](LinkId id) {
    link(id).touched = false;
    busy += link(id).owners.empty() ? 0 : 1;
    return link(id).opened_in == round_ || close_uncontended(id);
  });
  for (const LinkId id : touched_) open(id);
  entries_.clear();
  lowest_ = Level::kNone;
  for (const LinkId id : touched_) {
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

[[gnu::always_inline]] inline void MaxMin::open(LinkId id) {
  LinkHere& it = link(id);
  ++openings_;
  it.open = true;
  it.spread = false;
  it.late = all_open_;
  set_charge(charges_[static_cast<std::size_t>(id)], {});
  keys_[static_cast<std::size_t>(id)] = kOpen;
  note_opened(id);
}

// Opens a closed link again: its level may change and must not be relied on.
void MaxMin::reopen_closed(LinkId id) {
  open(id);
  link(id).guess = link(id).level.key();
  queue_.push(link(id).guess, id);
}

// Opens all links with a level above the lowest change at once. Used if much of the network
// changes, so that solve() need not search for links that share a flow. Usually the next solve does
// the same.
void MaxMin::open_all_above() {
  sort_by_level();
  const LevelQueue::Entry lowest{lowest_, LinkId(0)};
  const auto first = std::lower_bound(by_level_.begin(), by_level_.end(), lowest);
  const std::span<const LevelQueue::Entry> above(first, by_level_.end());
  for (const LevelQueue::Entry& entry : above) {
    LinkHere& it = link(entry.link);
    if (it.open) continue;
    open(entry.link);
    it.guess = entry.key;
  }
  queue_.follow(above);
  // An upper bound on the charges of links that stay closed.
  ceiling_ = std::max(ceiling_, lowest_ / 2 + 1);
  all_open_ = true;
}

// Key of a closed link, or the guess for an open one.
inline std::int64_t MaxMin::likely_key(LinkId id) const {
  const std::int64_t key = keys_[static_cast<std::size_t>(id)];
  return key != kOpen ? key : link(id).guess;
}

// Removes links without flows from by_level_.
void MaxMin::drop_unused() {
  if (by_level_.size() == static_cast<std::size_t>(busy_)) return;
  std::erase_if(by_level_, [this](const LevelQueue::Entry& entry) {
    link(entry.link).listed = !link(entry.link).owners.empty();
    return !link(entry.link).listed;
  });
}

// Insertion sort, because the order changes little from one solve to the next.
void MaxMin::sort_by_level() {
  drop_unused();
  std::size_t moves = 0;
  for (std::size_t i = 0; i < by_level_.size(); ++i) {
    by_level_[i].key = likely_key(by_level_[i].link);
    if (i == 0 || by_level_[i - 1] < by_level_[i]) continue;
    const LevelQueue::Entry entry = by_level_[i];
    std::size_t at = i;
    for (; at > 0 && entry < by_level_[at - 1]; --at) by_level_[at] = by_level_[at - 1];
    by_level_[at] = entry;
    moves += i - at;
    if (moves > 16 * by_level_.size()) return sort_by_level_anew();
  }
}

void MaxMin::sort_by_level_anew() {
  for (LevelQueue::Entry& entry : by_level_) entry.key = likely_key(entry.link);
  std::sort(by_level_.begin(), by_level_.end());
}

// Progressive filling from scratch: no guess starts too high, so no link closes too early.
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

// Opens the closed links that share a flow with this link, if it is the flow's bottleneck; returns
// true if there were any.
bool MaxMin::spread(LinkId id) {
  LinkHere& it = link(id);
  it.spread = true;
  const bool much = it.owned > kFew && 4 * it.owned > busy_;
  const std::int64_t before = openings_;
  if (all_open_ || !much) {
    const auto own = std::span(it.members).first(static_cast<std::size_t>(it.owned));
    for (const Member& member : own) reopen_others(member);
  }
  const int reached = static_cast<int>(opened_.size()) - begun_;
  if (!all_open_ && (much || (reached > kFew && 8 * reached > busy_))) open_all_above();
  return openings_ > before;
}

// Reopens the other links on a member's path.
inline void MaxMin::reopen_others(const Member& member) {
  if (member.other >= 0) return reopen(member.other);
  for (const HopHere& hop : hops(flow(member.flow))) reopen(hop.link);
}

}  // namespace loom::transport
