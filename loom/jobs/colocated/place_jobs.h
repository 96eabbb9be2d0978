// Which devices of a cluster each of several jobs gets.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace loom {

// packed: devices that follow each other, in the order of the jobs. random: any that are free.
// spread: every job as evenly over the whole cluster as can be.
enum class JobPlacement : std::uint8_t { packed, random, spread };
inline constexpr std::array<std::string_view, 3> kJobPlacementNames = {"packed", "random",
                                                                       "spread"};

// 0 to count - 1.
std::vector<int> first_devices(int count);

// For jobs of these sizes, together at most `devices`: each one's devices, in order. What is random
// follows from the seed.
std::vector<std::vector<int>> place_jobs(std::span<const int> sizes, int devices,
                                         JobPlacement placement, std::uint64_t seed);

}  // namespace loom
