// Numbers as other programs leave them in a file: bytes, little end first.
#pragma once

#include <cstring>
#include <string_view>
#include <vector>

namespace loom {

// What is left over at the end is passed over.
template <typename Number>
std::vector<double> raw_numbers(std::string_view bytes) {
  std::vector<double> values(bytes.size() / sizeof(Number));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Number number;
    std::memcpy(&number, bytes.data() + i * sizeof(Number), sizeof(Number));
    values[i] = static_cast<double>(number);
  }
  return values;
}

}  // namespace loom
