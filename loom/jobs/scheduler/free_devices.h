// Which of the free devices of a cluster jobs get, and several ways to choose them.
//
// Devices that are near each other stand in one rack, as many as the innermost neighbourhood of the
// network has; racks follow each other by number. Locality puts a job in as few racks as the free
// devices allow, which is also the fewest uplinks it can meet others on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/base/random.h"
#include "loom/fabric/network/network.h"

namespace loom {

enum class Nearness : std::uint8_t { any, racks };

// Devices of a rack; all where the network has no neighbourhoods.
int rack_size(const Network& network);

// In how many racks these devices, which ascend, lie.
int racks_of(std::span<const int> devices, int rack);

// So many of the free devices, which are at least as many, in ascending order. With racks: in as
// few as can be, and those that are filled most by it; where `random` is given any of the choices
// with as few racks, and any devices in them.
std::vector<int> choose_devices(const std::vector<bool>& free, int count, int rack,
                                Nearness nearness, Random* random);

// Ways to give jobs of these sizes, in this order, free devices, of which there are enough. The
// first is the usual one; others differ from those before, have no more racks in all where racks
// count, and are at most so many together.
using Placed = std::vector<std::vector<int>>;  // by job
std::vector<Placed> candidates(const std::vector<bool>& free, std::span<const int> sizes, int rack,
                               Nearness nearness, int max_candidates, std::uint64_t seed);

}  // namespace loom
