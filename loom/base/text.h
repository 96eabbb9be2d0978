// UTF-8 validation. User input must be UTF-8, because it is printed and written into JSON.
#pragma once

#include <string>
#include <string_view>

namespace loom {

// Position of the first byte that is not part of a UTF-8 character (RFC 3629); text.size() if there
// is none.
std::size_t first_not_utf8(std::string_view text);

// For messages: returns the text, or its first 200 bytes and "…" if it is longer.
std::string shortened(std::string_view text);

}  // namespace loom
