// Exports circuits as cluster configuration: cross-connects per optical plane, and addresses and
// routes per host.
#pragma once

#include <optional>
#include <string>

#include "loom/base/error.h"
#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// CSV with columns plane,input,output: the cross-connects from the sender's port to the receiver's
// port. The port number of a device on every plane is the number of the device.
std::string cross_connects_csv(const Circuits& circuits);

// {"planes": [{"plane": 0, "connections": [{"input": 0, "output": 5}, …]}, …]}
std::string cross_connects_json(const Circuits& circuits);

// Host addressing. In the pattern, PLANE is the plane number, X is the device number divided by
// 254, and Y is the remainder plus 1, so that no address ends in 0 or 255. The loopback address of
// a device is its address on plane 255, so circuits can use planes 0 to 254. In the interface name,
// PLANE is the port number.
struct Addressing {
  std::string pattern = "10.PLANE.X.Y";
  std::string interface = "ethPLANE";
};

inline constexpr int kMaxAddressedPlanes = 255;

// Returns the first error in the pattern or the interface, with the name of the option that sets it
// as the key. The check must be strict: accepted text is inserted into shell commands.
std::optional<Objection> objection(const Addressing& addressing);

std::string address_of(const Addressing& addressing, int device, int plane);

// `ip` commands for every host, under one heading per host: its addresses, the neighbors at the far
// end of its circuits, and the route to every other device. Circuits are unidirectional, so ARP
// cannot resolve neighbors: their hardware addresses are static, derived from plane and device.
// Replies may arrive over a different path, so reverse-path filtering is off. A route over several
// next hops has weights from 1 to 100.
std::string forwarding_commands(const Circuits& circuits, const Network& network,
                                const workload::Demand& demand, const Addressing& addressing);

}  // namespace loom::fabric
