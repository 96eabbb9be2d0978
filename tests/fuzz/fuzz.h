// Shared by all fuzz targets: any input is accepted or rejected with an InputError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "loom/base/error.h"

namespace loom::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Any other exception ends the process, which the fuzzer reports.
template <class Act>
int only_input_errors(Act&& act) {
  try {
    act();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): rejection is a valid outcome
  }
  return 0;
}

// For text that we wrote ourselves: not even an InputError is allowed.
template <class Act>
auto without_objection(Act&& act) {
  try {
    return act();
  } catch (const InputError& error) {
    throw std::logic_error(std::string("our own output is rejected: ") + error.what());
  }
}

}  // namespace loom::fuzz
