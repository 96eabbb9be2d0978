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

Duration UncontendedTransfers::time_for(const Int128& work, std::int64_t speed) {
  if (work == last_work_ && speed == last_speed_) return last_time_;
  const Int128 time = work <= 0 ? 0 : (work - 1) / speed + 1;
  last_work_ = work;
  last_speed_ = speed;
  last_time_ = time < kForever.count() ? Duration(static_cast<std::int64_t>(time)) : kForever;
  return last_time_;
}

bool UncontendedTransfers::go(FlowId id, TimePoint now, Int128 left, std::int64_t speed) {
  if (speed == 0) return false;
  const Duration span = time_for(left, speed);
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
