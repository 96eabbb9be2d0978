// The routes of a network between devices, each found once.
//
// Finding a route that is split over many paths costs far more than reading it again. Routes are
// kept up to a limit on their memory; beyond it, each is found anew. Thread-safe; readers take no
// lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "loom/fabric/network/router.h"

namespace loom::fabric {

class RouteTable {
 public:
  explicit RouteTable(int devices) : rows_(static_cast<std::size_t>(devices)) {}
  RouteTable(const RouteTable&) = delete;
  RouteTable& operator=(const RouteTable&) = delete;
  ~RouteTable();

  // Copies the route of the pair to `route`, which is empty; false if it is not known.
  bool find(DeviceId source, DeviceId destination, Route& route) const;

  void keep(DeviceId source, DeviceId destination, const Route& route);

 private:
  using Row = std::vector<std::atomic<const Route*>>;  // per destination; null: not known

  Row& row(DeviceId source);

  std::vector<std::atomic<Row*>> rows_;
  std::atomic<std::size_t> bytes_ = 0;
};

}  // namespace loom::fabric
