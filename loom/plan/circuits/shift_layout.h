// Circuits at the same shifts from every device for a workload whose devices form a grid
// (fabric/circuits/provision/shifts).
#pragma once

#include <cstdint>

#include "loom/plan/circuits/circuit_layouts.h"
#include "loom/plan/circuits/traffic_on_grid.h"

namespace loom::plan {

// Weighs the time of each kind of communication by its bytes raised to `power` - 1: below 1, large
// kinds, of which other work hides more, count less.
void weigh_kinds(double power, GridTraffic& traffic);

// The best circuits of about `trials` sets. Needs switches to which every device is wired.
CircuitLayout shift_layout(const fabric::CircuitFabric& fabric, const GridTraffic& traffic,
                           int trials);

std::uint64_t hash_of(const GridTraffic& traffic);

}  // namespace loom::plan
