// Vector access by int index: operators, devices and deliveries are numbered by int, but vectors
// are indexed by size_t.
#pragma once

#include <cstddef>
#include <vector>

namespace loom::place {

template <typename T>
T& at(std::vector<T>& of, int index) {
  return of[static_cast<std::size_t>(index)];
}

template <typename T>
const T& at(const std::vector<T>& of, int index) {
  return of[static_cast<std::size_t>(index)];
}

}  // namespace loom::place
