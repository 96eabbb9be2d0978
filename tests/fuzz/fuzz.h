// What every fuzz target does: a text in, and nothing but an InputError may come out.
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

// Everything else that is thrown ends the process, which the fuzzer reports.
template <class Act>
int only_input_errors(Act&& act) {
  try {
    act();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): refusing is an answer
  }
  return 0;
}

// What we wrote ourselves must not even be refused.
template <class Act>
auto without_objection(Act&& act) {
  try {
    return act();
  } catch (const InputError& error) {
    throw std::logic_error(std::string("what we wrote is refused: ") + error.what());
  }
}

}  // namespace loom::fuzz
