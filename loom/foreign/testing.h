// Writes files of the Rostam format by its bytes, as no code of ours reads them: a field is its
// number and kind, then a number in groups of seven bits or a length and content.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loom::testing {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
  return bytes + static_cast<char>(value);
}

inline std::string number_field(std::uint64_t number, std::uint64_t value) {
  return varint(number << 3) + varint(value);
}

inline std::string content_field(std::uint64_t number, std::string_view content) {
  return varint(number << 3 | 2) + varint(content.size()) + std::string(content);
}

struct RostamOp {
  std::string name;
  std::uint64_t time = 0;  // microseconds
  std::uint64_t bytes = 0;
  std::uint64_t type = 0;    // 0 compute, 1 memory, 2 control dependency
  std::uint64_t memory = 0;  // 0 tensor, 1 write variable, 2 read variable, 3 constant
  std::uint64_t output = 0;
};

inline std::string rostam_op(const RostamOp& op) {
  return content_field(1, content_field(1, op.name) + number_field(2, op.time) +
                              number_field(3, op.bytes) + number_field(4, op.type) +
                              number_field(5, op.memory) + number_field(6, op.output));
}

inline std::string rostam_edges(std::string_view node, const std::vector<std::string>& successors) {
  std::string bytes = content_field(1, node);
  for (const std::string& successor : successors) bytes += content_field(2, successor);
  return content_field(2, bytes);
}

}  // namespace loom::testing
