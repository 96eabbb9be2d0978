// Chooses free devices of a cluster for jobs, and generates candidate placements.
//
// A rack is the innermost neighborhood of the network; racks are numbered consecutively. Locality
// puts a job in as few racks as the free devices allow, which also minimizes the uplinks on which
// it can contend with others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/base/random.h"
#include "loom/fabric/network/network.h"

namespace loom::jobs {

enum class Nearness : std::uint8_t { any, racks };

// Devices per rack; all devices if the network has no neighborhoods.
int rack_size(const fabric::Network& network);

// The number of racks that these devices, in ascending order, span.
int racks_of(std::span<const int> devices, int rack);

// Chooses `count` of the free devices, of which there must be enough; ascending. With racks: the
// fewest racks, and among those the ones that this fills most. If `random` is given: random devices
// in a random choice of equally few racks.
std::vector<int> choose_devices(const std::vector<bool>& free, int count, int rack,
                                Nearness nearness, Random* random);

// Candidate placements for jobs of these sizes, in this order, on free devices, of which there must
// be enough. The first is the default; the others differ from it and from each other, span no more
// racks in total if racks count, and together they number at most `max_candidates`.
using Placed = std::vector<std::vector<int>>;  // devices per job
std::vector<Placed> candidates(const std::vector<bool>& free, std::span<const int> sizes, int rack,
                               Nearness nearness, int max_candidates, std::uint64_t seed);

}  // namespace loom::jobs
