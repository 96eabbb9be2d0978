// What tests of many folders share.
#pragma once

#include <string>

#include "loom/base/error.h"

namespace loom {

// The message with which `act` is refused; "no error" if it is not.
template <typename Act>
std::string message(const Act& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace loom
