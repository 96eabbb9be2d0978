#include "loom/fabric/network/route_table.h"

namespace loom::fabric {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

// Publishes a new object in an empty slot; drops it if another thread was faster.
template <class T>
T* publish(std::atomic<T*>& slot, std::unique_ptr<T> made) {
  T* before = nullptr;
  return slot.compare_exchange_strong(before, made.get()) ? made.release() : before;
}

}  // namespace

RouteTable::~RouteTable() {
  for (const std::atomic<Row*>& slot : rows_) {
    const std::unique_ptr<Row> row(slot.load());
    if (!row) continue;
    for (const auto& route : *row) delete route.load();
  }
}

bool RouteTable::find(DeviceId source, DeviceId destination, Route& route) const {
  const Row* const row = rows_[static_cast<std::size_t>(source)].load(std::memory_order_acquire);
  if (row == nullptr) return false;
  const Route* const known =
      (*row)[static_cast<std::size_t>(destination)].load(std::memory_order_acquire);
  if (known == nullptr) return false;
  route.hops.assign(known->hops.begin(), known->hops.end());
  route.latency = known->latency;
  return true;
}

void RouteTable::keep(DeviceId source, DeviceId destination, const Route& route) {
  const std::size_t bytes = sizeof(Route) + route.hops.size() * sizeof(Hop);
  if (bytes_.fetch_add(bytes) + bytes > kMaxBytes) return;
  publish(row(source)[static_cast<std::size_t>(destination)],
          std::unique_ptr<const Route>(std::make_unique<Route>(route)));
}

RouteTable::Row& RouteTable::row(DeviceId source) {
  std::atomic<Row*>& slot = rows_[static_cast<std::size_t>(source)];
  Row* const known = slot.load(std::memory_order_acquire);
  return known != nullptr ? *known : *publish(slot, std::make_unique<Row>(rows_.size()));
}

}  // namespace loom::fabric
