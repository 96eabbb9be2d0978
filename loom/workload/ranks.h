// Lists of ranks or devices as text: "0-7,16,24-31", with a stride "0-56/8".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loom::workload {

// Device numbers are less than this, and a list has at most this many entries.
inline constexpr int kMaxDevices = 1 << 20;

// Parses a list of numbers, separated by commas or spaces, in the order written. On failure `why`
// says what is needed.
std::optional<std::vector<int>> parse_ranks(std::string_view text, std::string& why);

// Writes a list of numbers compactly, with ranges and strides, in the same order. parse_ranks() of
// the result gives the same list.
std::string ranks_text(std::span<const int> ranks);

}  // namespace loom::workload
