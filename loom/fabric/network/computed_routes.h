// Routes of regular fabrics, computed arithmetically; a graph search finds only the detours around
// down links.
#pragma once

#include <memory>
#include <utility>

#include "loom/fabric/network/graph_routes.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// ComputeRoute is a copyable function object: compute(source, destination, key, route) fills in the
// route, assuming that all links are up. If routes depend on the key, it has a member `routing`
// equal to Routing::ecmp.
template <class ComputeRoute>
class ComputedRouter final : public Router {
 public:
  ComputedRouter(ComputeRoute compute, std::shared_ptr<const Router> detour)
      : compute_(std::move(compute)), detour_(std::move(detour)) {}

  bool find(DeviceId source, DeviceId destination, std::uint64_t key, const std::vector<bool>& down,
            Route& route) const override {
    compute_(source, destination, key, route);
    if (usable(route, down)) return true;
    route = {};
    return detour_ && detour_->find(source, destination, key, down, route);
  }

  bool hashes() const override {
    if constexpr (requires { compute_.routing; }) return compute_.routing == Routing::ecmp;
    return false;
  }

 private:
  ComputeRoute compute_;
  std::shared_ptr<const Router> detour_;
};

// `detour` finds a route if a link of the computed route is down; nullptr: there is no other route.
template <class ComputeRoute>
std::shared_ptr<const Router> computed_router(ComputeRoute compute,
                                              std::shared_ptr<const Router> detour) {
  return std::make_shared<ComputedRouter<ComputeRoute>>(std::move(compute), std::move(detour));
}

}  // namespace loom::fabric
