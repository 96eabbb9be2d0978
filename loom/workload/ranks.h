// Lists of ranks or devices as text: "0-7,16,24-31", with a stride "0-56/8".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loom::workload {

// Device numbers are below this, and a list holds at most this many.
inline constexpr int kMaxDevices = 1 << 20;

// The numbers in the order written; separators are commas or spaces. On failure `why` says what is
// needed.
std::optional<std::vector<int>> parse_ranks(std::string_view text, std::string& why);

// A compact text that keeps the order, as a person would write it; parses back to the same list.
std::string ranks_text(std::span<const int> ranks);

}  // namespace loom::workload
