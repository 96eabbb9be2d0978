#include "loom/simulate/uncontended_transfers.h"

namespace loom::simulate {

void UncontendedTransfers::add(FlowId id, std::span<const transport::MaxMin::HopHere> path) {
  const auto index = static_cast<std::size_t>(id);
  if (index >= uncontended_.size()) uncontended_.resize(index + 1);
  uncontended_[index].uncontended = true;
  for (const transport::MaxMin::HopHere& hop : path)
    links_[static_cast<std::size_t>(hop.link)].uncontended = id;
  fresh_.push_back(id);
}

void UncontendedTransfers::remove(FlowId id, std::span<const transport::MaxMin::HopHere> path) {
  uncontended_[static_cast<std::size_t>(id)].uncontended = false;
  for (const transport::MaxMin::HopHere& hop : path)
    links_[static_cast<std::size_t>(hop.link)].uncontended = FlowId(-1);
}

void UncontendedTransfers::count(std::span<const transport::MaxMin::HopHere> path, int more) {
  for (const transport::MaxMin::HopHere& hop : path)
    links_[static_cast<std::size_t>(hop.link)].others += more;
}

Duration UncontendedTransfers::span_of(Int128 left, std::int64_t speed) {
  if (left == last_left_ && speed == last_speed_) return last_span_;
  const Int128 span = left <= 0 ? 0 : (left - 1) / speed + 1;
  last_left_ = left;
  last_speed_ = speed;
  last_span_ = span < kForever.count() ? Duration(static_cast<std::int64_t>(span)) : kForever;
  return last_span_;
}

bool UncontendedTransfers::go(FlowId id, TimePoint now, Int128 left, std::int64_t speed) {
  if (speed == 0) return false;
  const Duration span = span_of(left, speed);
  if (span >= kNever - now) return false;
  Uncontended& it = uncontended_[static_cast<std::size_t>(id)];
  it.since = now;
  it.speed = speed;
  it.ticket = ++tickets_;
  ends_.emplace(now + span, it.ticket, id);
  return true;
}

Int128 UncontendedTransfers::done(FlowId id, TimePoint now) const {
  if (static_cast<std::size_t>(id) >= uncontended_.size()) return 0;
  const Uncontended& it = uncontended_[static_cast<std::size_t>(id)];
  return Int128{it.speed} * (now - it.since).count();
}

Int128 UncontendedTransfers::settle(FlowId id, TimePoint now) {
  const Int128 all = done(id, now);
  if (static_cast<std::size_t>(id) < uncontended_.size())
    uncontended_[static_cast<std::size_t>(id)].speed = 0;
  return all;
}

FlowId UncontendedTransfers::take() {
  const End end = ends_.top();
  ends_.pop();
  return stale(end) ? FlowId(-1) : end.id;
}

void UncontendedTransfers::drop_stale() {
  while (!ends_.empty() && stale(ends_.top())) ends_.pop();
}

}  // namespace loom::simulate
