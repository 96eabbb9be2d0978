// Conversion of our int64 counters to the index type of the standard containers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loom {

inline std::size_t to_index(std::int64_t number) { return static_cast<std::size_t>(number); }

}  // namespace loom
