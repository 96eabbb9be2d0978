// Vector access by int: operators, devices and deliveries are numbered by int, vectors by size_t.
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
