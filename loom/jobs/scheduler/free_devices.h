// Chooses free devices of a cluster for jobs, and generates candidate placements.
//
// A rack is the innermost neighborhood of the network; its devices have consecutive numbers.
// Locality places a job in as few racks as the free devices allow, which also minimizes the uplinks
// on which the job can contend with others.
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

// The number of racks that these devices span; devices are ascending, `rack` is the rack size.
int racks_of(std::span<const int> devices, int rack);

// Chooses `count` free devices, of which there must be enough, and returns them in ascending order.
// Nearness::racks uses the fewest racks possible and leaves few free devices in them; with
// `random`, it chooses random devices in a random choice of equally few racks.
std::vector<int> choose_devices(const std::vector<bool>& free, int count, int rack,
                                Nearness nearness, Random* random);

// Returns at most `max_candidates` different placements for jobs of these sizes on free devices, of
// which there must be enough. The first is the default, which places the jobs in the given order.
// With Nearness::racks, the others span no more racks in total than the default.
using Placed = std::vector<std::vector<int>>;  // devices per job
std::vector<Placed> candidates(const std::vector<bool>& free, std::span<const int> sizes, int rack,
                               Nearness nearness, int max_candidates, std::uint64_t seed);

}  // namespace loom::jobs
