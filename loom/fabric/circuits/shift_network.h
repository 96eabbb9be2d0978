// The network of circuits that lie at the same shifts from every device, with routes by shift.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/shifts/shift_routes.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// A permutation of the devices per circuit, each on a switch of its own.
Circuits circuits_at(const DeviceGrid& grid, const std::vector<ShiftCircuits>& shifts);

// Messages at other shifts than those of the routes, and all while a link of theirs is down, take
// the routes of circuit_network().
Network shift_network(const CircuitFabric& fabric, const DeviceGrid& grid,
                      const std::vector<ShiftCircuits>& shifts, const ShiftRouting& routing);

}  // namespace loom::fabric
