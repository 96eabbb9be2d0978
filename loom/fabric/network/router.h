// Routes between devices, and the interface of the routers that find them.
//
// Shortest paths, ECMP and splitting over all paths: graph_routes.h. Routes of regular fabrics,
// computed from device numbers: computed_routes.h. TopoOpt's balanced paths: balanced_routes.h.
// Over circuits: circuits/circuit_fabric.cc, circuits/topology_network.cc; over rotating circuits
// through an intermediate device (Valiant): circuits/rotation.cc. A packet switch beside circuits:
// packet_switch.cc. Detours in a full mesh: kinds/electrical/full_mesh.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/base/ids.h"
#include "loom/base/units.h"

namespace loom::fabric {

// Shares are integers out of kWhole = 2^12 · 3^4 · 5^2 · 7^2, so that an even split over common
// numbers of paths is exact.
inline constexpr std::uint32_t kWhole = 406'425'600;

// A link of a route, and the share of the message that crosses it. A share above kWhole stands for
// several equivalent messages.
struct Hop {
  LinkId link;
  std::uint64_t share = kWhole;
};

struct Route {
  std::vector<Hop> hops;
  Duration latency{0};  // along the slowest path
};

// Finds the route from one device to another; each fabric chooses the method. Safe to call from
// several threads.
class Router {
 public:
  virtual ~Router() = default;

  // Fills in the route of a message from `source` to `destination` (two different devices), where
  // `down[l]` says that link l is down (empty: all are up). `key` distinguishes messages for
  // hashing. Returns false if there is no route. `route` must be empty on entry.
  virtual bool find(DeviceId source, DeviceId destination, std::uint64_t key,
                    const std::vector<bool>& down, Route& route) const = 0;

  // Whether routes depend on the key while all links are up.
  virtual bool hashes() const { return true; }
};

}  // namespace loom::fabric
