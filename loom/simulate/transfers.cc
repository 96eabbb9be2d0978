#include "loom/simulate/transfers.h"

#include <algorithm>
#include <utility>

namespace loom::simulate {

FlowId Transfers::start(std::span<const fabric::Hop> hops, Bytes size, int weight) {
  return place({.size = size, .left = quanta_of(size), .order = started_++}, hops, weight);
}

FlowId Transfers::place(const Transfer& placed, std::span<const fabric::Hop> hops, int weight) {
  const bool uncontended = uncontended_.room_for(hops);
  for (const fabric::Hop& hop : hops) {
    if (!uncontended && uncontended_.on(hop.link) >= 0) share(uncontended_.on(hop.link));
  }
  const FlowId id = uncontended ? sharing_.add_apart(hops, weight) : sharing_.add(hops, weight);
  uncontended ? uncontended_.add(id, sharing_.path(id)) : uncontended_.count(sharing_.path(id), 1);
  const auto index = static_cast<std::size_t>(id);
  if (index >= transfers_.size()) {
    transfers_.resize(index + 1);
    mark_of_.resize(index + 1);
  }
  transfers_[index] = placed;
  mark_of_[index].clock = LinkId(-1);
  ++count_;
  return id;
}

FlowId Transfers::resume(std::span<const fabric::Hop> hops, Bytes size, int weight,
                         std::int64_t speed, Duration time) {
  const Int128 left = quanta_of(size) - Int128{speed} * time.count();
  return place({.size = size, .left = left, .order = started_++}, hops, weight);
}

void Transfers::stop(FlowId id, TimePoint now) {
  transfer(id).left -= uncontended_.settle(id, now);
  if (uncontended_.holds(id)) {
    uncontended_.remove(id, sharing_.path(id));
    note_filled(id);
  } else {
    if (mark(id).clock >= 0) transfer(id).left = leave_clock(id, now);
    uncontended_.count(sharing_.path(id), -1);
  }
  credit(sharing_.path(id), transfer(id).size - bytes_of(transfer(id).left));
  sharing_.remove(id);
  --count_;
}

FlowId Transfers::move(FlowId id, std::span<const fabric::Hop> hops, int weight, TimePoint now) {
  stop(id, now);
  Transfer moved = transfer(id);
  moved.size = bytes_of(moved.left);
  return place(moved, hops, weight);
}

// Adds the links of the transfer to filled_; the first call since the last update() begins a new
// list.
void Transfers::note_filled(FlowId id) {
  if (settled_) filled_.clear();
  settled_ = false;
  for (const transport::MaxMin::HopHere& hop : sharing_.path(id)) filled_.push_back(hop.link);
}

void Transfers::credit(std::span<const fabric::Hop> hops, Bytes sent) {
  for (const fabric::Hop& hop : hops) {
    carried_[static_cast<std::size_t>(hop.link)] += Int128{sent.count} * hop.share;
  }
}

Bytes Transfers::left(FlowId id, TimePoint now) const {
  const auto index = static_cast<std::size_t>(id);
  const Marks::Slot& mark = mark_of_[index];
  if (mark.clock < 0) return bytes_of(transfers_[index].left - uncontended_.done(id, now));
  LinkClock clock = clocks_[static_cast<std::size_t>(mark.clock)];
  clock.advance(now);
  const Int128 each = marks_[static_cast<std::size_t>(mark.clock)][mark.at] - clock.reading();
  return bytes_of(each * sharing_.weight(id));
}

Bytes Transfers::carried(LinkId link) const {
  return {static_cast<std::int64_t>(carried_[static_cast<std::size_t>(link)] / fabric::kWhole)};
}

bool Transfers::moving() const {
  return uncontended_.next_end() < kNever ||
         std::any_of(clocks_.begin(), clocks_.end(),
                     [](const LinkClock& clock) { return clock.runs(); });
}

std::vector<LinkId> Transfers::filled_links() const {
  std::vector<LinkId> all(sharing_.filled_links().begin(), sharing_.filled_links().end());
  all.insert(all.end(), filled_.begin(), filled_.end());
  return all;
}

Int128 Transfers::load(LinkId link) const {
  const FlowId uncontended = uncontended_.on(link);
  if (uncontended < 0) return sharing_.load(link);
  Int128 bottleneck = sharing_.capacity(link);
  for (const transport::MaxMin::HopHere& hop : sharing_.path(uncontended)) {
    bottleneck = std::min(bottleneck, sharing_.capacity(hop.link));
  }
  return bottleneck;
}

// Work of this size in quanta · picoseconds, rounded down by less than one.
Int128 Transfers::quanta_of(Bytes size) const {
  const int bits = sharing_.quantum_bits();
  return bits >= 0 ? transport::work_of(size) << bits : transport::work_of(size) >> -bits;
}

// Bytes of this work, rounded up; 0 for negative values.
Bytes Transfers::bytes_of(Int128 quanta) const {
  if (quanta <= 0) return {0};
  const int bits = sharing_.quantum_bits();
  return transport::bytes_in(bits >= 0 ? ((quanta - 1) >> bits) + 1 : quanta << -bits);
}

// If a coarser quantum is needed, remaining work is converted to it.
void Transfers::set_capacity(LinkId link, Bandwidth bandwidth, TimePoint now) {
  const FlowId uncontended = uncontended_.on(link);
  if (uncontended >= 0 && left(uncontended, now).count > 0) share(uncontended);  // else it ends now
  const int before = sharing_.quantum_bits();
  sharing_.set_capacity(link, bandwidth);
  const int bits = before - sharing_.quantum_bits();
  if (bits == 0) return;
  for (LinkId it(0); it < static_cast<int>(clocks_.size()); ++it) {
    fastest(it) = LinkClock::kNoSpeed;
    renew(it, now);
    marks(it).coarsen(clock(it).reading(), bits);
    clock(it).coarsen(bits);
  }
  for (FlowId id(0); id < static_cast<int>(transfers_.size()); ++id) {
    transfer(id).left = (transfer(id).left - uncontended_.settle(id, now)) >> bits;
    if (uncontended_.holds(id)) share(id);
  }
}

std::int64_t Transfers::bottleneck_speed(std::span<const fabric::Hop> hops) const {
  std::int64_t bottleneck = sharing_.quanta(hops.front().link);
  for (const fabric::Hop& hop : hops.subspan(1))
    bottleneck = std::min(bottleneck, sharing_.quanta(hop.link));
  return bottleneck;
}

// An uncontended transfer no longer is; from the next update() on it has a clock.
void Transfers::share(FlowId id) {
  const auto path = sharing_.path(id);
  uncontended_.remove(id, path);
  uncontended_.count(path, 1);
  sharing_.enter(id);
  joined_.push_back(id);
}

// Starts the uncontended transfers that were added since the last update(). A transfer that would
// not end within the range of the picosecond clock is left to max-min sharing.
void Transfers::start_uncontended(TimePoint now) {
  for (const FlowId id : joined_) transfer(id).left -= uncontended_.settle(id, now);
  joined_.clear();
  for (const FlowId id : uncontended_.fresh()) {
    if (!uncontended_.holds(id)) continue;
    note_filled(id);
    if (!uncontended_.go(id, now, transfer(id).left, bottleneck_speed(sharing_.path(id))))
      share(id);
  }
  joined_.clear();
  uncontended_.fresh().clear();
  uncontended_.drop_stale();
}

// Brings the clock of the link up to now.
inline void Transfers::renew(LinkId link, TimePoint now) {
  clock(link).advance(now);
  check_end(link);
}

// If the key of the link in ends_ may no longer be a lower bound, update() recomputes it.
inline void Transfers::check_end(LinkId link) {
  if (clock(link).speed() <= fastest(link) || stale_[static_cast<std::size_t>(link)] != 0) return;
  stale_[static_cast<std::size_t>(link)] = 1;
  renewed_.push_back(link);
}

// Removes the mark of the transfer from its clock; returns the remaining work of the transfer.
Int128 Transfers::leave_clock(FlowId id, TimePoint now) {
  const Marks::Slot place = mark(id);
  renew(place.clock, now);
  const Int128 each = marks(place.clock)[place.at] - clock(place.clock).reading();
  erase_mark(id);
  return each * sharing_.weight(id);
}

void Transfers::erase_mark(FlowId id) {
  const LinkId link = std::exchange(mark(id).clock, LinkId(-1));
  marks(link).erase(mark(id).at, mark_of_);
  clock(link).set_first(marks(link).empty() ? LinkClock::kNoMark : marks(link).first());
}

void Transfers::join_clock(FlowId id, LinkId link, const Int128& left, TimePoint now) {
  clock(link).advance(now);
  mark(id).clock = link;
  const int weight = sharing_.weight(id);
  const Int128 each = weight == 1 ? left : left / weight;
  marks(link).insert(clock(link).reading() + each, id, mark_of_);
  clock(link).set_first(marks(link).first());
  if (mark(id).at == 0) fastest(link) = LinkClock::kNoSpeed;
  check_end(link);
}

void Transfers::update(TimePoint now) {
  start_uncontended(now);
  if (settled_) filled_.clear();
  settled_ = true;
  sharing_.solve();
  change_clocks(now);
  find_next_ends();
  find_first_end();
}

void Transfers::change_clocks(TimePoint now) {
  for (const FlowId id : sharing_.moved_flows()) {
    const LinkId link = sharing_.bottleneck(id);
    const LinkId before = mark(id).clock;
    if (before != link) {
      join_clock(id, link, before < 0 ? transfer(id).left : leave_clock(id, now), now);
    }
  }
  for (const LinkId link : sharing_.changed_links()) {
    clock(link).advance(now);
    clock(link).set_level(sharing_.level(link));
    check_end(link);
  }
}

// Recomputes the ends of the links in renewed_; rebuilds the heap once if many ends change.
void Transfers::find_next_ends() {
  const bool many = 4 * renewed_.size() > ends_.size();
  for (const LinkId link : renewed_) {
    const LinkClock::Bound end = clock(link).next_end_at_soonest();
    stale_[static_cast<std::size_t>(link)] = 0;
    fastest(link) = end.fastest;
    if (end.at == kNever) {
      ends_.erase(link);
    } else {
      many ? ends_.set_loosely(link, end.at) : ends_.set(link, end.at);
    }
  }
  renewed_.clear();
  if (many) ends_.restore();
}

// Makes the earliest end exact. Most ends change again before they are reached, so only the next
// one is worth computing exactly.
void Transfers::find_first_end() {
  while (!ends_.empty() && fastest(ends_.top()) != LinkClock::kNoSpeed) {
    const LinkId link = ends_.top();
    fastest(link) = LinkClock::kNoSpeed;
    const TimePoint end = clock(link).next_end();
    end < kNever ? ends_.set(link, end) : ends_.erase(link);
  }
}

const std::vector<FlowId>& Transfers::take_due() {
  due_.clear();
  const TimePoint now = next_end();
  while (uncontended_.next_end() <= now) {
    const FlowId id = uncontended_.take();
    if (id < 0) continue;
    uncontended_.settle(id, now);
    transfer(id).left = 0;
    by_order_.emplace_back(transfer(id).order, id);
  }
  while (!ends_.empty() && ends_.top_key() <= now) {
    const LinkId link = ends_.top();
    ends_.erase(link);
    fastest(link) = LinkClock::kNoSpeed;
    renew(link, now);
    while (clock(link).due()) {
      const FlowId id = marks(link).first_flow();
      erase_mark(id);
      transfer(id).left = 0;
      by_order_.emplace_back(transfer(id).order, id);
    }
    find_first_end();
  }
  if (!std::is_sorted(by_order_.begin(), by_order_.end())) {
    std::sort(by_order_.begin(), by_order_.end());
  }
  for (const auto& it : by_order_) due_.push_back(it.second);
  by_order_.clear();
  return due_;
}

}  // namespace loom::simulate
