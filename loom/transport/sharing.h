// How messages share a link. A stream is what one device sends at the same time in one collective
// over the same first link (simulate/streams.h); a message outside collectives is a stream.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace loom::transport {

enum class Sharing : std::uint8_t {
  fair,      // every stream has the same share
  weighted,  // every stream has a share by the weight of its operation
  messages,  // every message has the same share
};

inline constexpr std::array<std::string_view, 3> kSharingNames = {"fair", "weighted", "messages"};

constexpr int sharing_weight(Sharing sharing, int weight) {
  return sharing == Sharing::weighted ? weight : 1;
}

}  // namespace loom::transport
