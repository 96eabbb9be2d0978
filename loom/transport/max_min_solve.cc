// Bringing the levels up to date: which links are opened, in which order they close.
//
// A link is open while its level is not known. An open link's flows count as not yet fixed, so the
// level found for another link while it is open is no higher than the right one. Taking the lowest
// first is therefore mostly final; where it is not, because a guessed order was wrong, the links
// that differ meet again on the flows they share, and the higher one is opened once more.
#include <algorithm>

#include "loom/transport/max_min.h"

namespace loom {
namespace {

constexpr int kFew = 32;  // links

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
    queue_.clear();  // those above are all there are
    open_all_above();
  }
  close_open_links();
  mostly_changed_ = all_open_ && 4 * changed_.size() > opened_.size();
}

// All are opened before any level is looked for: none is then too high.
void MaxMin::open_touched() {
  int busy = 0;
  std::erase_if(touched_, [&](int id) {
    link(id).touched = false;
    busy += link(id).owners.empty() ? 0 : 1;
    return link(id).opened_in == round_ || close_uncontended(id);
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

[[gnu::always_inline]] inline void MaxMin::open(int id) {
  LinkHere& it = link(id);
  ++openings_;
  it.open = true;
  it.spread = false;
  it.late = all_open_;
  set_charge(charges_[static_cast<std::size_t>(id)], {});
  keys_[static_cast<std::size_t>(id)] = kOpen;
  note_opened(id);
}

// Its level may have to change; it is no longer to be relied on.
void MaxMin::reopen_closed(int id) {
  open(id);
  link(id).guess = link(id).level.key();
  queue_.push(link(id).guess, id);
}

// Where much of the network changes, all of it above the lowest change is opened at once, and the
// search for those that share a flow is over. Mostly that is so again the next time.
void MaxMin::open_all_above() {
  sort_by_level();
  const LevelQueue::Entry lowest{lowest_, 0};
  const auto first = std::lower_bound(by_level_.begin(), by_level_.end(), lowest);
  const std::span<const LevelQueue::Entry> above(first, by_level_.end());
  for (const LevelQueue::Entry& entry : above) {
    LinkHere& it = link(entry.link);
    if (it.open) continue;
    open(entry.link);
    it.guess = entry.key;
  }
  queue_.follow(above);
  ceiling_ = std::max(ceiling_, lowest_ / 2 + 1);  // as high as those left closed can be
  all_open_ = true;
}

// Where it stands, or will by our guess.
inline std::int64_t MaxMin::likely_key(int id) const {
  const std::int64_t key = keys_[static_cast<std::size_t>(id)];
  return key != kOpen ? key : link(id).guess;
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

// Opens the links above that share a flow of this one's; whether there were any.
bool MaxMin::spread(int id) {
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

// The other links of a member's way.
inline void MaxMin::reopen_others(const Member& member) {
  if (member.other >= 0) return reopen(member.other);
  for (const HopHere& hop : hops(flow(member.flow))) reopen(hop.link);
}

}  // namespace loom
