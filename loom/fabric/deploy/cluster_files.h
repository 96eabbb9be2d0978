// Circuits as the files that set up a cluster: what is patched on each plane, and what each host is
// told of addresses and ways.
#pragma once

#include <string>

#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/network/network.h"

namespace loom {

// plane,input,output: on each plane the port of a sending device is joined to that of a receiving
// one, a device's ports having its number.
std::string cross_connects_csv(const Circuits& circuits);

// {"planes": [{"plane": 0, "connections": [{"input": 0, "output": 5}, …]}, …]}
std::string cross_connects_json(const Circuits& circuits);

// How hosts are addressed. In a pattern PLANE stands for the number of the plane, X and Y for that
// of the device, in base 254 so that no address ends with 0 or 255. The device itself has the
// address of plane 255, on its loopback, so that there can be 255 planes. In the interface PLANE is
// the port's number.
struct Addressing {
  std::string pattern = "10.PLANE.X.Y";
  std::string interface = "ethPLANE";
};

inline constexpr int kMaxAddressedPlanes = 255;

// What is wrong with it; "" if nothing is. What passes stands in commands for a shell.
std::string pattern_objection(const Addressing& addressing);
std::string interface_objection(const Addressing& addressing);

std::string address_of(const Addressing& addressing, int device, int plane);

// `ip` commands for every host, under a heading each: its addresses, the neighbours that its
// circuits lead to, and the way to every other device. A circuit leads one way, so that neighbours
// are not found by asking (ARP): their hardware addresses are given, made from plane and device;
// and what comes back comes another way, which the reverse path filter must not mind.
// Where several ways share the load a route has weights from 1 to 100.
std::string forwarding_commands(const Circuits& circuits, const Network& network,
                                const Demand& demand, const Addressing& addressing);

}  // namespace loom
