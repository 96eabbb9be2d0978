#include "loom/simulate/transfers.h"

#include <algorithm>

namespace loom {

int Transfers::start(std::span<const Hop> hops, Bytes size, int weight, Duration now) {
  const int id = sharing_.add(hops, weight);
  place(id, {.size = size,
             .left = work_of(size),
             .doubt = 0,
             .since = now,
             .rate = {},
             .order = started_++});
  return id;
}

void Transfers::stop(int id, Duration now) {
  Transfer& it = transfers_[static_cast<std::size_t>(id)];
  bring_up_to(it, now);
  credit(id, it.size - bytes_in(it.left - it.doubt));
  sharing_.remove(id);
  heap_.erase(id);
}

int Transfers::move(int id, std::span<const Hop> hops, int weight, Duration now) {
  stop(id, now);
  Transfer moved = transfers_[static_cast<std::size_t>(id)];
  moved.size = bytes_in(moved.left - moved.doubt);
  moved.rate = {};
  const int moved_id = sharing_.add(hops, weight);
  place(moved_id, moved);
  return moved_id;
}

void Transfers::credit(int id, Bytes sent) {
  for (const MaxMin::HopHere& hop : sharing_.way(id)) {
    carried_[static_cast<std::size_t>(hop.link)] += Int128{sent.count} * hop.share;
  }
}

Bytes Transfers::left(int id, Duration now) const {
  Transfer it = transfers_[static_cast<std::size_t>(id)];
  bring_up_to(it, now);
  return bytes_in(it.left - it.doubt);
}

Bytes Transfers::carried(int link) const {
  return {static_cast<std::int64_t>(carried_[static_cast<std::size_t>(link)] / kWhole)};
}

bool Transfers::moving() const {
  return heap_.any([this](int id) { return sharing_.rate(id).numerator > 0; });
}

void Transfers::place(int id, const Transfer& transfer) {
  const auto index = static_cast<std::size_t>(id);
  if (index >= transfers_.size()) transfers_.resize(index + 1);
  transfers_[index] = transfer;
  heap_.set(id, {kForever, transfer.order});
}

void Transfers::bring_up_to(Transfer& it, Duration now) {
  const Duration span = now - it.since;
  it.since = now;
  if (it.rate.numerator == 0 || span.count() == 0) return;
  it.left -= work_done(it.rate, span);
  const bool rounded = Int128{it.rate.numerator} * span.count() % it.rate.denominator != 0;
  it.doubt += Int128{it.rate.error} * span.count() + (rounded ? 1 : 0);
}

// At the new rate a transfer ends when nothing is left, within the doubt there will be by then.
void Transfers::update(Duration now) {
  for (const int id : sharing_.solve()) {
    Transfer& it = transfers_[static_cast<std::size_t>(id)];
    bring_up_to(it, now);
    it.rate = sharing_.rate(id);
    const Duration span = time_for(it.left - it.doubt, it.rate);
    const bool in_time = span < kForever - now;
    heap_.set(id, {in_time ? now + span : kForever, it.order});
  }
}

}  // namespace loom
