// Assigns the devices of a cluster to several jobs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace loom::jobs {

// packed: consecutive devices, in job order. random: random devices. spread: the devices of each
// job as evenly over the cluster as possible.
enum class JobPlacement : std::uint8_t { packed, random, spread };
inline constexpr std::array<std::string_view, 3> kJobPlacementNames = {"packed", "random",
                                                                       "spread"};

// Devices 0 to count - 1.
std::vector<int> first_devices(int count);

// Returns the devices of each job, ascending, for jobs with these numbers of devices, in total at
// most `devices`. Equal seeds give equal results.
std::vector<std::vector<int>> place_jobs(std::span<const int> sizes, int devices,
                                         JobPlacement placement, std::uint64_t seed);

}  // namespace loom::jobs
