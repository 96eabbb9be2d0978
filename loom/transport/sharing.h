// How messages share a link: equally, or by the weights of their operations.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace loom::transport {

enum class Sharing : std::uint8_t { fair, weighted };

inline constexpr std::array<std::string_view, 2> kSharingNames = {"fair", "weighted"};

constexpr int sharing_weight(Sharing sharing, int weight) {
  return sharing == Sharing::fair ? 1 : weight;
}

}  // namespace loom::transport
