// Reads raw little-endian numbers, as other programs write them to files.
#pragma once

#include <cstring>
#include <string_view>
#include <vector>

namespace loom {

// Returns the numbers of type Number in `bytes` as doubles; ignores an incomplete number at the
// end.
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
