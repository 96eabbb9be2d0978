// Assigns the devices of a cluster to several jobs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace loom::jobs {

// packed: consecutive devices, in job order. random: any free devices. spread: every job as evenly
// over the cluster as possible.
enum class JobPlacement : std::uint8_t { packed, random, spread };
inline constexpr std::array<std::string_view, 3> kJobPlacementNames = {"packed", "random",
                                                                       "spread"};

// Devices 0 to count - 1.
std::vector<int> first_devices(int count);

// The devices of each job, ascending, for jobs of these sizes, together at most `devices`. Random
// choices follow from the seed.
std::vector<std::vector<int>> place_jobs(std::span<const int> sizes, int devices,
                                         JobPlacement placement, std::uint64_t seed);

}  // namespace loom::jobs
