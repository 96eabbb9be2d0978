// Registries: everything that can be extended (fabrics, provisioners, planners, transports, ...)
// has an array of pointers to descriptions, each with a `name`.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "loom/base/error.h"

namespace loom {

// Returns the names in a list, as choices of a parameter.
template <typename Description, std::size_t kSize>
constexpr std::array<std::string_view, kSize> names_of(
    const std::array<const Description*, kSize>& list) {
  std::array<std::string_view, kSize> names;
  for (std::size_t i = 0; i < kSize; ++i) names[i] = list[i]->name;
  return names;
}

// Returns the description called `name`, which must be in the list.
template <typename Description, std::size_t kSize>
const Description* named(const std::array<const Description*, kSize>& list, std::string_view name) {
  for (const Description* it : list) {
    if (it->name == name) return it;
  }
  LOOM_CHECK(false, "the name was checked against the list");
  return nullptr;
}

}  // namespace loom
